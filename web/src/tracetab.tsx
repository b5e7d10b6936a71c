import { useState } from "preact/hooks";
import { type Change, told } from "./diff";
import { Formula } from "./formula";
import { VirtualList } from "./list";
import { live } from "./live";
import { Offers } from "./livebar";
import { Overview } from "./overview";
import type { Row } from "./folds";
import { changesFirst, current, explored, filter, folding, goTo, hidden, hide, isHit, marked, matter, mattering, onlyChanges, part, rows, step, trace, traceNumber, openTrace } from "./state";
import { Transport } from "./transport";
import { Watches } from "./watchpanel";
import type { Trace } from "./trace";
import { lastWriter } from "./why";
import { Why } from "./whypanel";

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
  const words = position === 0 ? now.names.filter((name) => !hidden.value.has(name)).map((name) => `${name}=${now.valueText(name, 0)}`).join("  ") : told(shown).join(", ");
  const bad = now.broken(position).some((name) => position === 0 || now.holds(name, position - 1));
  const hit = isHit.value.has(position);
  const dim = matter.value !== null && position > 0 && !matter.value.has(position) && position !== mattering.value;
  const classes = ["step", position === step.value ? "chosen" : "", now.inLoop(position) ? "looping" : "", hit ? "hit" : "", position === marked.value ? "marked" : "", dim ? "dim" : ""];
  return (
    <div key={position} class={classes.join(" ")} role="row" aria-rowindex={position + 1} aria-selected={position === step.value} onClick={() => goTo(position)}>
      <span role="gridcell" class="number">{position}</span>
      <span role="gridcell" class="label" title={now.where(position) ?? ""}>{now.label(position)}</span>
      <span role="gridcell" class="words">{words || "(nothing changes)"}</span>
      <span role="gridcell" class="mark">{bad ? "✗" : now.inLoop(position) ? <span class="soft">loop {position - now.loop!}/{now.length - 1 - now.loop!}</span> : ""}</span>
    </div>
  );
}

/** Steps that come again and again, as one row: a click opens it. */
function FoldRow({ row, open }: { row: Row; open: () => void }) {
  const now = trace.value!;
  const rounds = (row.last - row.first + 1) / row.period;
  const inside = step.value >= row.first && step.value <= row.last;
  const names = Array.from({ length: Math.min(row.period, 6) }, (_, index) => now.label(row.first + index)).join(", ");
  const here = inside ? `, step ${step.value} is in round ${Math.floor((step.value - row.first) / row.period) + 1}` : "";
  const changes = now.between(row.first - 1, row.last).filter((change) => !hidden.value.has(base(change.name)));
  const dim = matter.value !== null && !Array.from({ length: row.last - row.first + 1 }, (_, index) => row.first + index).some((one) => matter.value!.has(one));
  return (
    <div class={`step fold${inside ? " chosen" : ""}${now.inLoop(row.first) ? " looping" : ""}${dim ? " dim" : ""}`} role="row" aria-rowindex={row.first + 1} aria-selected={inside} title={`${rounds.toLocaleString("en")} times ${names}; a click shows all steps`} onClick={open}>
      <span role="gridcell" class="number">{row.first}–{row.last}</span>
      <span role="gridcell" class="label">⊞ ×{rounds.toLocaleString("en")}{here} ({names}{row.period > 6 ? ", …" : ""})</span>
      <span role="gridcell" class="words">{told(changes).join(", ") || "(all in all nothing changes)"}</span>
      <span role="gridcell" class="mark" />
    </div>
  );
}

/** The steps, of which those that repeat are folded unless they were opened. */
function Steps() {
  const now = trace.value!;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const within = ({ first, last }: Row) => part.value === "whole" || now.loop === null || (part.value === "loop" ? last > now.loop : first <= now.loop);
  const all: Row[] = folding.value || part.value !== "whole" ? (folding.value ? rows.value : plainRows(now.length)).filter(within).flatMap((row) => (row.period && opened.has(row.first) ? Array.from({ length: row.last - row.first + 1 }, (_, index) => ({ first: row.first + index, last: row.first + index, period: 0 })) : [row])) : [];
  const folded = all.some((row) => row.period) || opened.size > 0;
  const listed = folding.value || part.value !== "whole";
  const count = listed ? all.length : now.length;
  const chosen = listed ? rowOf(all, step.value) : step.value;
  const row = (index: number) => {
    const one = listed ? all[index]! : null;
    if (one?.period) return <FoldRow key={`fold${one.first}`} row={one} open={() => setOpened(new Set([...opened, one.first]))} />;
    return <StepRow position={one ? one.first : index} key={one ? one.first : index} />;
  };
  return (
    <div class="steps">
      <VirtualList count={count} height={1.6} chosen={chosen} label="steps" row={row} total={now.length} style={{ "--label": `${Math.min(26, widest(now))}ch` }} />
      {now.loop !== null && now.loop < now.length - 1 && <div class="bar"><span>↻ back to</span><button onClick={() => goTo(now.loop!)}>step {now.loop}</button><Part /></div>}
      {(folded || !folding.value) && (
        <div class="bar">
          <label><input type="checkbox" checked={folding.value} onChange={(event) => { folding.value = event.currentTarget.checked; setOpened(new Set()); }} /> fold what repeats</label>
          {folded && folding.value && <span class="soft">{count.toLocaleString("en")} rows for {(now.length - 1).toLocaleString("en")} steps</span>}
          {opened.size > 0 && <button onClick={() => setOpened(new Set())}>fold all</button>}
        </div>
      )}
    </div>
  );
}

/** The letters of the longest label. */
function widest(now: Trace): number {
  return now.data.labels.reduce((most, label) => Math.max(most, label.text.length), "initial state".length);
}

/** Of a run without end: all of it, what comes before the loop, or the loop. */
function Part() {
  return (
    <>
      {(["whole", "prefix", "loop"] as const).map((name) => <button aria-pressed={part.value === name} title={`show ${name === "whole" ? "all steps" : name === "prefix" ? "the steps before the loop" : "the steps of the loop"}`} onClick={() => (part.value = name)}>{name}</button>)}
    </>
  );
}

function rowOf(all: Row[], position: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (all[middle]!.first <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function base(name: string): string {
  const cut = name.search(/[[.]/);
  return cut < 0 || trace.value!.names.includes(name) ? name : name.slice(0, cut);
}

function plainRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({ first: index, last: index, period: 0 }));
}

function Variables() {
  const now = trace.value!;
  const before = marked.value ?? Math.max(0, step.value - 1);
  const changes = new Map<string, Change[]>();
  for (const change of now.between(before, step.value)) {
    const name = base(change.name);
    changes.set(name, [...(changes.get(name) ?? []), change]);
  }
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string) => !words.length || words.some((word) => name.toLowerCase().includes(word));
  const names = now.names.filter((name) => !hidden.value.has(name) && fits(name) && (!onlyChanges.value || changes.has(name)));
  if (changesFirst.value) names.sort((one, other) => Number(changes.has(other)) - Number(changes.has(one)));
  return (
    <table class="state" aria-label="state">
      <tbody>
        {names.map((name) => (
          <tr class={changes.has(name) ? "changed" : ""}>
            <th scope="row">
              <span class="sign">{changes.has(name) ? "~" : " "}</span>
              <Name name={name} />
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

/** The name of a variable: a click goes to the step that wrote it. */
function Name({ name }: { name: string }) {
  const writer = lastWriter(trace.value!, name, step.value);
  const where = writer ? `written in step ${writer}: ${trace.value!.label(writer)}` : "as it was at the start";
  return <button class="plain" data-variable={name} title={`${where}; a click goes there, Alt and a click hides it (h)`} onClick={(event) => (event.altKey ? hide(name) : goTo(writer === step.value ? lastWriter(trace.value!, name, writer - 1) : writer))}>{name}</button>;
}

/** What a property says of this state: of an invariant, whether it holds; of others, whether what they wait for is there. */
function Truth({ name }: { name: string }) {
  const now = trace.value!;
  const truth = now.holds(name, step.value);
  if (now.data.invariants?.includes(name)) return <span class={truth ? "yes" : "no"}>{truth ? "✓" : "✗"} {name} </span>;
  return <span class={truth ? "yes" : "soft"}>{truth ? "●" : "○"} {name} is {truth ? "true" : "false"} </span>;
}

function Here() {
  const now = trace.value!;
  const truths = Object.keys(now.data.holds);
  return (
    <div class="here">
      {truths.length > 0 && (
        <p>Here: {truths.map((name) => <Truth name={name} />)}</p>
      )}
      {now.progress(step.value) !== null && <p>progress {now.progress(step.value)}</p>}
      {now.where(step.value) && <p class="soft">{now.where(step.value)}</p>}
      {live.value && <Offers />}
      {now.loop !== null && <Loop />}
    </div>
  );
}

/** What else could have happened, a line each, below the state: it may be much. */
function Possible() {
  const now = trace.value!;
  const enabled = now.enabled(step.value)?.map(({ text }) => text);
  if (live.value) return null;
  const looked = Object.keys(now.data.enabled ?? {}).length;
  if (!enabled) return looked ? <p class="soft">What else was possible was looked for in the last {looked.toLocaleString("en")} states alone.</p> : null;
  const next = step.value < now.length - 1 ? now.label(step.value + 1) : null;
  const others = enabled.filter((label) => label !== next);
  if (!others.length) return <p>{enabled.length ? "Nothing else is possible here." : "Nothing is possible here."}</p>;
  return (
    <>
      <p>{next === null ? "Possible here:" : "Also possible here:"}</p>
      <ul class="possible">{others.slice(0, 30).map((label) => <li><code>{label}</code></li>)}{others.length > 30 && <li>and {now.data.unlisted?.[String(step.value)]?.[1] ? "at least " : ""}{others.length - 30} more</li>}</ul>
    </>
  );
}

function Loop() {
  const now = trace.value!;
  const [start, last] = [now.loop!, now.length - 1];
  if (start === last) return <p>Nothing is possible in the last state: it lasts for ever.</p>;
  const inside = now.inLoop(step.value) ? `in the loop, ${step.value - start} of ${last - start}; ` : "";
  return (
    <>
      <p>{inside}after step {last} it goes on as after <button onClick={() => goTo(start)}>step {start}</button>, for ever.</p>
      {now.data.fair && now.data.fair.length > 0 && <ul class="fair" aria-label="fairness in the loop">{now.data.fair.map((one) => <Fair {...one} />)}</ul>}
    </>
  );
}

/** Why the loop is fair: what it is fair to is taken, or not possible somewhere; in the strong sense, nowhere. */
function Fair({ name, strong, taken, disabled }: { name: string; strong: boolean; taken: number[]; disabled: number[] }) {
  const links = (numbers: number[]) => <>{numbers.slice(0, 5).map((number, index) => <>{index > 0 && ", "}<button onClick={() => goTo(number)}>{number}</button></>)}{numbers.length > 5 && ` and ${numbers.length - 5} more`}</>;
  return <li><strong>{name}</strong> <span class="soft">{strong ? "strong" : "weak"} fairness:</span> {taken.length ? <>taken in step {links(taken)}</> : strong ? "not possible anywhere in the loop" : <>not possible after step {links(disabled)}</>}</li>;
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
      <Formula />
      <Transport />
      <div class="panes">
        <div class="walked">
          <Steps key={traceNumber.value} />
          <Why />
        </div>
        <div class="statepane">
          <div class="bar">
            <strong>{step.value === 0 ? "Initial state" : `State after ${step.value}  ${now.label(step.value)}`}</strong>
            <span class="soft">compared with {marked.value === null ? "the step before" : `step ${marked.value}`}</span>
            <button aria-pressed={marked.value !== null} title="compare with this step from now on (m)" onClick={() => (marked.value = marked.value === null ? step.value : null)}>{marked.value === null ? "mark" : "forget mark"}</button>
            <label><input type="checkbox" checked={onlyChanges.value} onChange={(event) => (onlyChanges.value = event.currentTarget.checked)} /> only what changes</label>
            <label><input type="checkbox" checked={changesFirst.value} onChange={(event) => (changesFirst.value = event.currentTarget.checked)} /> changes first</label>
            <input type="search" class="filter" aria-label="show only these variables" placeholder="variables: words" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
            {hidden.value.size > 0 && <button onClick={() => (hidden.value = new Set())}>show {hidden.value.size} hidden</button>}
          </div>
          <Here />
          <Watches />
          <Variables />
          <Possible />
        </div>
      </div>
    </section>
  );
}
