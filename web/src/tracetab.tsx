import { useState } from "preact/hooks";
import { type Change, changeText } from "./diff";
import { VirtualList } from "./list";
import { live } from "./live";
import { Offers } from "./livebar";
import { Overview } from "./overview";
import { current, explored, goTo, hidden, hide, hits, marked, onlyChanges, step, trace, traceNumber, openTrace } from "./state";
import { Transport } from "./transport";

const LONG = 200; // characters of a value: more are folded

export function Folded({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= LONG) return <code>{text}</code>;
  return (
    <code>
      {open ? text : text.slice(0, LONG)}
      <button class="more" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "less" : `… ${text.length - LONG} more characters`}</button>
    </code>
  );
}

export function Changed({ change }: { change: Change }) {
  if (change.gone && change.came) {
    return (
      <span>
        {change.gone.map((token) => <span class="gone">− <Folded text={token} /> </span>)}
        {change.came.map((token) => <span class="came">+ <Folded text={token} /> </span>)}
      </span>
    );
  }
  return (
    <span>
      <span class="gone"><Folded text={change.old ?? "absent"} /></span> → <span class="came"><Folded text={change.now ?? "absent"} /></span>
    </span>
  );
}

function StepRow({ position }: { position: number }) {
  const now = trace.value!;
  const shown = now.changes(position).filter((change) => !hidden.value.has(base(change.name)));
  const words = position === 0 ? now.names.filter((name) => !hidden.value.has(name)).map((name) => `${name}=${now.valueText(name, 0)}`).join("  ") : shown.map(changeText).join(", ");
  const bad = Object.keys(now.data.holds).some((name) => now.holds(name, position) === false && (position === 0 || now.holds(name, position - 1)));
  const hit = hits.value?.includes(position);
  const classes = ["step", position === step.value ? "chosen" : "", now.inLoop(position) ? "looping" : "", hit ? "hit" : "", position === marked.value ? "marked" : ""];
  return (
    <div key={position} class={classes.join(" ")} role="row" aria-rowindex={position + 1} aria-selected={position === step.value} onClick={() => goTo(position)}>
      <span role="gridcell" class="number">{position}</span>
      <span role="gridcell" class="label" title={now.where(position) ?? ""}>{now.label(position)}</span>
      <span role="gridcell" class="words">{words || "(nothing changes)"}</span>
      <span role="gridcell" class="mark">{bad ? "✗" : now.loop === position ? "↻" : ""}</span>
    </div>
  );
}

function base(name: string): string {
  const cut = name.search(/[[.]/);
  return cut < 0 || trace.value!.names.includes(name) ? name : name.slice(0, cut);
}

function Variables() {
  const now = trace.value!;
  const before = marked.value ?? Math.max(0, step.value - 1);
  const changes = new Map<string, Change[]>();
  for (const change of now.between(before, step.value)) {
    const name = base(change.name);
    changes.set(name, [...(changes.get(name) ?? []), change]);
  }
  const names = now.names.filter((name) => !hidden.value.has(name) && (!onlyChanges.value || changes.has(name)));
  return (
    <table class="state" aria-label="state">
      <tbody>
        {names.map((name) => (
          <tr class={changes.has(name) ? "changed" : ""}>
            <th scope="row">
              <span class="sign">{changes.has(name) ? "~" : " "}</span>
              <button class="plain" title="hide this variable" onClick={() => hide(name)}>{name}</button>
            </th>
            <td>
              <Folded text={now.valueText(name, step.value)} />
              {(changes.get(name) ?? []).map((change) => (
                <div class="soft">{change.name !== name && `${change.name}: `}<Changed change={change} /></div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Here() {
  const now = trace.value!;
  const truths = Object.keys(now.data.holds);
  const enabled = now.data.enabled?.[String(step.value)];
  const next = step.value < now.length - 1 ? now.label(step.value + 1) : null;
  const others = (enabled ?? []).filter((label) => label !== next);
  return (
    <div class="here">
      {truths.length > 0 && (
        <p>Here: {truths.map((name) => <span class={now.holds(name, step.value) ? "yes" : "no"}>{now.holds(name, step.value) ? "✓" : "✗"} {name} </span>)}</p>
      )}
      {now.progress(step.value) !== null && <p>progress {now.progress(step.value)}</p>}
      {now.where(step.value) && <p class="soft">{now.where(step.value)}</p>}
      {live.value ? <Offers /> : enabled && (
        <p>{enabled.length === 0 ? "Nothing is possible here." : others.length ? <>{next === null ? "Possible here: " : "Also possible here: "}{others.slice(0, 30).map((label) => <code>{label} </code>)}{others.length > 30 && `and ${others.length - 30} more`}</> : "Nothing else is possible here."}</p>
      )}
      {now.loop !== null && <Loop />}
    </div>
  );
}

function Loop() {
  const now = trace.value!;
  const [start, last] = [now.loop!, now.length - 1];
  if (start === last) return <p>Nothing is possible in the last state: it lasts for ever.</p>;
  const inside = now.inLoop(step.value) ? `in the loop, ${step.value - start} of ${last - start}; ` : "";
  return <p>{inside}after step {last} it goes on as after <button onClick={() => goTo(start)}>step {start}</button>, for ever.</p>;
}

export function TraceTab() {
  const now = trace.value!;
  return (
    <section class="tracetab">
      {current.value.traces.length + explored.value.length > 1 && (
        <select aria-label="trace" value={traceNumber.value} onChange={(event) => openTrace(Number(event.currentTarget.value))}>
          {current.value.verdicts.filter((verdict) => verdict.view !== undefined).map((verdict) => <option value={verdict.view}>{verdict.text}</option>)}
          {explored.value.map((one, index) => <option value={current.value.traces.length + index}>walked by hand {index + 1}, {one.steps.length} steps</option>)}
        </select>
      )}
      <p class="sentence">{now.sentence(step.value)}</p>
      <Overview />
      <Transport />
      <div class="panes">
        <VirtualList count={now.length} height={1.6} chosen={step.value} label="steps" row={(position) => <StepRow position={position} key={position} />} />
        <div class="statepane">
          <div class="bar">
            <strong>{step.value === 0 ? "Initial state" : `State after ${step.value}  ${now.label(step.value)}`}</strong>
            <span class="soft">compared with {marked.value === null ? "the step before" : `step ${marked.value}`}</span>
            <button aria-pressed={marked.value !== null} title="compare with this step from now on (m)" onClick={() => (marked.value = marked.value === null ? step.value : null)}>{marked.value === null ? "mark" : "forget mark"}</button>
            <label><input type="checkbox" checked={onlyChanges.value} onChange={(event) => (onlyChanges.value = event.currentTarget.checked)} /> only what changes</label>
            {hidden.value.size > 0 && <button onClick={() => (hidden.value = new Set())}>show {hidden.value.size} hidden</button>}
          </div>
          <Here />
          <Variables />
        </div>
      </div>
    </section>
  );
}
