import { useState } from "preact/hooks";
import type { ActionData } from "./data";
import { current, nextHit, query, step, tab, trace } from "./state";

type Key = "action" | "edges" | "evaluations" | "seconds";

export function ActionsTab() {
  const [key, setKey] = useState<Key>("edges");
  const [up, setUp] = useState(true);
  const now = trace.value;
  const taken = new Map<string, number>();
  for (let position = 1; position < (now?.length ?? 0); position++) taken.set(now!.action(position), (taken.get(now!.action(position)) ?? 0) + 1);
  const sign = up ? 1 : -1;
  const compare = (one: ActionData, other: ActionData) => (one[key] < other[key] ? -sign : one[key] > other[key] ? sign : 0);
  const rows = [...(current.value.actions ?? [])].sort(compare);
  const behaviour = rows.some((row) => row.behaviour);
  const head = (name: Key, text: string) => (
    <th aria-sort={key === name ? (up ? "ascending" : "descending") : "none"}>
      <button class="plain" onClick={() => (key === name ? setUp(!up) : (setKey(name), setUp(name === "edges" || name === "action")))}>{text} {key === name ? (up ? "▲" : "▼") : ""}</button>
    </th>
  );
  const find = (action: string) => {
    query.value = `action:${action}`;
    tab.value = "trace";
    step.value = 0;
    nextHit(1);
  };
  return (
    <section>
      <table class="grid">
        <thead>
          <tr>{head("action", "action")}<th>where</th>{head("edges", "edges")}{head("evaluations", "runs of its code")}{head("seconds", "seconds in it")}<th>looks at</th>{behaviour && <th>behaviour</th>}{now && <th>in this trace</th>}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={row.edges === 0 ? "never" : ""}>
              <td>{row.action}</td>
              <td class="soft">{row.where}</td>
              <td class="right">{row.edges === 0 ? "never happened" : row.edges.toLocaleString("en")}</td>
              <td class="right">{row.evaluations.toLocaleString("en")}</td>
              <td class="right">{row.seconds.toFixed(3)}</td>
              <td>{row.observes.join(", ")}</td>
              {behaviour && <td>{row.behaviour}</td>}
              {now && <td>{taken.has(row.action) ? <button onClick={() => find(row.action)}>{taken.get(row.action)}×</button> : "not"}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
