import { useState } from "preact/hooks";
import type { FormulaPart } from "./data";
import { at } from "./trace";
import { current, goTo, step, trace, traceNumber } from "./state";

const MOST = 4000; // changes of a proposition that are drawn

/** A formula's propositions along the trace: where each of them is true, and where the loop is. */
export function Formula() {
  const now = trace.value!;
  const verdict = current.value.verdicts.find((one) => one.view === traceNumber.value);
  const rows = Object.entries(now.data.propositions ?? {});
  const tree = now.data.formula;
  if (!rows.length && !tree) return null;
  const count = now.length;
  const scrub = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    goTo(Math.floor(((event.clientX - box.left) / box.width) * count));
  };
  return (
    <div class="formula" role="group" aria-label="the formula along the trace">
      {verdict && <p><strong>{verdict.kind}</strong> <code>{verdict.name}</code>{verdict.reason ? <span class="soft"> {verdict.reason}</span> : null}{now.loop !== null && now.loop < count - 1 ? <span class="soft"> the part under the line repeats for ever</span> : null}</p>}
      {rows.map(([name, points]) => {
        const spans = Array.from({ length: Math.min(MOST, points.length / 2) }, (_, index) => ({ from: points[2 * index]!, to: points[2 * index + 2] ?? count, truth: points[2 * index + 1] === 1 }));
        const here = at(points, step.value) === 1;
        return (
          <div class="proposition">
            <span class="name" title={name}><code>{name}</code></span>
            <svg viewBox={`0 0 ${count} 10`} preserveAspectRatio="none" role="img" aria-label={`${name} is ${here ? "true" : "false"} here`} onClick={scrub}>
              {spans.filter((span) => span.truth).map(({ from, to }) => <rect class="true" x={from} y={1} width={to - from} height={6} />)}
              <line class="false" x1={0} x2={count} y1={7} y2={7} vector-effect="non-scaling-stroke" />
              {now.loop !== null && <line class="loopline" x1={now.loop} x2={count} y1={9.4} y2={9.4} vector-effect="non-scaling-stroke" />}
              <rect class="here" x={step.value} y={0} width={1} height={10} vector-effect="non-scaling-stroke" />
            </svg>
            <span class="truth">{here ? "true here" : "false here"}</span>
          </div>
        );
      })}
      {tree && tree.parts.length > 0 && (
        <details class="parts" open={tree.parts.some(says)}>
          <summary>Part by part</summary>
          <ul><Part part={tree} open={true} /></ul>
        </details>
      )}
    </div>
  );
}

/** Whether the verdict says something of a part, or of one within it. */
function says(part: FormulaPart): boolean {
  return part.said.length > 0 || part.parts.some(says);
}

/** A part of the formula with its truth in the state that is looked at, what the verdict says of it, and its own parts. */
function Part({ part, open }: { part: FormulaPart; open: boolean }) {
  const [shown, show] = useState(open);
  const here = part.along ? at(part.along, step.value) === 1 : null;
  const turns = part.along && part.parts.length ? [0, ...part.along.filter((_, index) => index % 2 === 0 && index > 0)] : [];
  const next = turns.find((position) => position > step.value) ?? (turns.length > 1 ? turns[0] : undefined);
  return (
    <li>
      {part.parts.length > 0 ? <button class="plain" aria-expanded={shown} aria-label={`parts of ${part.text}`} onClick={() => show(!shown)}>{shown ? "▾" : "▸"}</button> : <span class="sign" />}
      <code>{part.text}</code>
      {here !== null && <span class={here ? "yes" : "no"}> {here ? "✓ true" : "✗ false"} here</span>}
      {next !== undefined && <button onClick={() => goTo(next)}>{at(part.along!, next) === 1 ? "true" : "false"} at {next}</button>}
      {part.said.map(([position, value, forEver]) => <button class={position === step.value ? "chosen" : ""} onClick={() => goTo(position)}>{value ? "✓ true" : "✗ false"} {forEver ? `from ${position} on` : `at ${position}`}</button>)}
      {part.parts.length > 0 && shown && <ul>{part.parts.map((one) => <Part part={one} open={says(one) || part.said.length > 0} />)}</ul>}
    </li>
  );
}
