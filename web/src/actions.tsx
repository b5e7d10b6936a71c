import { useMemo, useState } from "preact/hooks";
import type { ActionData, RunData } from "./data";
import { current, nextHit, query, step, tab, trace } from "./state";
import { memberNames, type Trace } from "./trace";

type Key = "action" | "edges" | "evaluations" | "seconds";

/** The actions that have no edge. Where a run keeps one state of each class, a member of a family stands for the others. */
export function idle({ actions = [], report }: RunData): Set<string> {
  const family = (name: string) => name.split("(", 1)[0]!;
  const stand = new Set(report?.equivalence ? actions.filter((one) => one.edges > 0).map((one) => family(one.action)) : []);
  return new Set(actions.filter((one) => one.edges === 0 && !stand.has(family(one.action))).map((one) => one.action));
}

/** What is said of them: a run that ended early has not seen all. */
export function idleWords({ report }: RunData): string {
  return report?.complete === false ? "not so far" : "never happened";
}

/** How often each action was taken: members of a family apart, where they are. */
function counted(trace: Trace, actions: ActionData[]): Map<string, number> {
  const names = new Set(actions.map((row) => row.action));
  const owners = trace.data.labels.map((label) => memberNames(label).find((name) => names.has(name)));
  const taken = new Map<string, number>();
  for (const label of trace.data.steps) if (owners[label] !== undefined) taken.set(owners[label], (taken.get(owners[label]) ?? 0) + 1);
  return taken;
}

export function ActionsTab() {
  const [key, setKey] = useState<Key>("edges");
  const [up, setUp] = useState(true);
  const now = trace.value;
  const listed = current.value.actions ?? [];
  const taken = useMemo(() => (now ? counted(now, listed) : new Map<string, number>()), [now, listed]);
  const [without, words] = [idle(current.value), idleWords(current.value)];
  const placed = listed.some((row) => row.where);
  const sign = up ? 1 : -1;
  const compare = (one: ActionData, other: ActionData) => (one[key] < other[key] ? -sign : one[key] > other[key] ? sign : 0);
  const rows = [...listed].sort(compare);
  const behaviour = rows.some((row) => row.behaviour);
  const head = (name: Key, text: string) => (
    <th aria-sort={key === name ? (up ? "ascending" : "descending") : "none"}>
      <button class="plain" onClick={() => (key === name ? setUp(!up) : (setKey(name), setUp(name === "edges" || name === "action")))}>{text} {key === name ? (up ? "▲" : "▼") : ""}</button>
    </th>
  );
  const find = (action: string) => {
    query.value = /\s/.test(action) ? `action:"${action}"` : `action:${action}`;
    tab.value = "trace";
    step.value = 0;
    nextHit(1);
  };
  return (
    <section>
      <table class="grid">
        <thead>
          <tr>{head("action", "action")}{placed && <th>where</th>}{head("edges", "edges")}{head("evaluations", "runs of its code")}{head("seconds", "seconds in it")}<th>looks at</th>{behaviour && <th>behaviour</th>}{now && <th>in this trace</th>}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={without.has(row.action) ? "never" : ""}>
              <td>{row.action}</td>
              {placed && <td class="soft">{row.where}</td>}
              <td class="right">{without.has(row.action) ? words : row.edges.toLocaleString("en")}</td>
              <td class="right">{row.evaluations.toLocaleString("en")}</td>
              <td class="right">{row.seconds.toFixed(3)}</td>
              <td class="words">{row.observes.join(", ")}</td>
              {behaviour && <td>{row.behaviour}</td>}
              {now && <td>{taken.has(row.action) ? <button onClick={() => find(row.action)}>{taken.get(row.action)}×</button> : "not"}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
