import { goTo, matter, mattering, step, trace } from "./state";
import { causes, type Cause, readBy, variableOf } from "./why";

const MOST = 12; // causes, and names of what was not read

function Writer({ cause }: { cause: Cause }) {
  const now = trace.value!;
  const what = cause.token === undefined ? <><code>{cause.name}</code> = <code>{clip(cause.value)}</code></> : <><code>{clip(cause.token)}</code> from <code>{cause.name}</code></>;
  const how = cause.token === undefined ? "written in" : "put there in";
  return (
    <li>
      {what},{" "}
      {cause.writer ? <>{how} <button onClick={() => goTo(cause.writer)}>step {cause.writer}: {now.label(cause.writer)}</button></> : <span class="soft">there since the start</span>}
    </li>
  );
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function Causes({ title, found }: { title: string; found: Cause[] }) {
  return (
    <>
      <p>{title}</p>
      <ul class="causes">{found.slice(0, MOST).map((cause) => <Writer cause={cause} />)}</ul>
      {found.length > MOST && <p class="soft">and {found.length - MOST} more</p>}
    </>
  );
}

/** What the step read and who wrote that; in the state that decided, what the property looked at. */
export function Why() {
  const now = trace.value!;
  const at = step.value;
  const read = readBy(now, at);
  const asked = at === now.length - 1 ? (now.data.looked_at ?? []) : [];
  const omitted = now.data.omitted ?? [];
  if (!read && !asked.length && !omitted.length) return null;
  const seen = new Set((read ?? []).map((name) => variableOf(now, name)));
  const unread = read ? now.names.filter((name) => !seen.has(name)) : [];
  const steps = matter.value;
  return (
    <details class="why" open>
      <summary>Why?</summary>
      {asked.length > 0 && <Causes title="The property looked at" found={causes(now, asked, at, false)} />}
      {read && (read.length ? <Causes title={`${now.label(at)} read`} found={causes(now, read, at - 1, true)} /> : <p>{now.label(at)} read nothing.</p>)}
      {unread.length > 0 && <p class="soft">It did not read {unread.slice(0, MOST).map((name) => <code>{name} </code>)}{unread.length > MOST && `and ${unread.length - MOST} more`}</p>}
      {omitted.map((what) => <p class="soft">Left out: {what}.</p>)}
      {now.data.reads && (
        <div class="bar">
          <button aria-pressed={mattering.value !== null} title="dim the steps that it does not depend on (w)" onClick={() => (mattering.value = mattering.value === null ? at : null)}>only what matters</button>
          {steps && <span class="soft">{steps.size} of {now.length - 1} steps matter for {mattering.value === now.length - 1 ? "the last state" : `step ${mattering.value}`}</span>}
        </div>
      )}
    </details>
  );
}
