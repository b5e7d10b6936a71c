import { at } from "./trace";
import { current, goTo, step, trace, traceNumber } from "./state";

const MOST = 4000; // changes of a proposition that are drawn

/** A formula's propositions along the trace: where each of them is true, and where the loop is. */
export function Formula() {
  const now = trace.value!;
  const verdict = current.value.verdicts.find((one) => one.view === traceNumber.value);
  const rows = Object.entries(now.data.propositions ?? {});
  if (!rows.length) return null;
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
    </div>
  );
}
