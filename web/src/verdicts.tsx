import { idle } from "./actions";
import { MARKS } from "./app";
import type { RunData, VerdictData } from "./data";
import { Chart } from "./chart";
import { current, openTrace, tab, tabs } from "./state";

const ORDER = { violated: 0, inconclusive: 1, holds: 2 };

function Row({ verdict }: { verdict: VerdictData }) {
  const shown = current.value.traces[verdict.view ?? -1];
  const steps = shown?.steps.length ?? 0;
  return (
    <li class={`verdict ${verdict.status}`}>
      <div>
        <strong class="status">{MARKS[verdict.status]} {verdict.status}</strong>{" "}
        <span>{verdict.kind}{verdict.name !== verdict.kind && <> <q>{verdict.name}</q></>}</span>{" "}
        <span class="soft">{verdict.guarantee}{verdict.reason ? `: ${verdict.reason}` : ""}</span>
      </div>
      {verdict.source ? <pre class="source"><code>{verdict.source}</code></pre> : null}
      {verdict.looked_at?.length ? (
        <div class="soft">looked at: {verdict.looked_at.map(([name, value]) => <code>{name} = {value}</code>)}</div>
      ) : null}
      <div>
        {shown && (
          <button onClick={() => openTrace(verdict.view!)}>
            {verdict.holds_by_witness ? "shown by" : "counter-example,"} {steps} {steps === 1 ? "step" : "steps"}
          </button>
        )}
        {shown && tabs.value.includes("lanes") && <button onClick={() => openTrace(verdict.view!, "lanes")}>lanes</button>}
        {shown && tabs.value.includes("net") && <button onClick={() => openTrace(verdict.view!, "net")}>net</button>}
        <span class="soft">{verdict.where}</span>
      </div>
    </li>
  );
}

function Numbers() {
  const report = current.value.report;
  if (!report) return null;
  const numbers = report.statistics;
  const shown: [string, string][] = [
    ["states", numbers["classes"] == null ? "states" : "classes"],
    ["edges", "edges"],
    ["peak", "stored at most"],
    ["layers", "layers"],
    ["sweeps", "sweeps"],
    ["workers", "workers"],
  ];
  return (
    <dl class="numbers">
      <dt>strategy</dt>
      <dd>{report.strategy}</dd>
      <dt>measure</dt>
      <dd>{report.measure ?? "none"}</dd>
      <dt>engine</dt>
      <dd>{report.engine}</dd>
      {shown.map(([key, name]) =>
        numbers[key] != null ? (
          <>
            <dt>{name}</dt>
            <dd>{numbers[key]!.toLocaleString("en")}</dd>
          </>
        ) : null,
      )}
      {numbers["seconds"] != null && <><dt>time</dt><dd>{numbers["seconds"].toFixed(2)} s</dd></>}
    </dl>
  );
}

/** The sweep on a line. */
function swept({ profile, report }: RunData): string {
  const [peak, all] = [report?.statistics["peak"] ?? Math.max(...profile!.stored), report?.statistics["states"]];
  const part = all ? ` of ${all.toLocaleString("en")} (${((100 * peak) / all).toFixed(1)} %)` : "";
  return `stored states over progress: at most ${peak.toLocaleString("en")}${part}, ${profile!.of.toLocaleString("en")} layers`;
}

export function VerdictsTab() {
  const one = current.value;
  const sorted = [...one.verdicts].sort((first, second) => ORDER[first.status] - ORDER[second.status]);
  const [never, complete] = [idle(one).size, one.report?.complete !== false];
  return (
    <section>
      {sorted.length ? <ul class="verdicts">{sorted.map((verdict) => <Row verdict={verdict} />)}</ul> : <p>No property was asked about.</p>}
      {one.profile && (
        <button class="plain" title="the sweep" onClick={() => (tab.value = "sweep")}>
          <Chart profile={one.profile} height={80} />
          <span class="soft">{swept(one)}</span>
        </button>
      )}
      {one.actions?.length ? (
        <p>
          {never ? <button class="warn" onClick={() => (tab.value = "actions")}>{complete ? "⚠ " : ""}{never} of {one.actions.length} actions {complete ? "never happened" : "have not happened so far"}</button> : one.actions.length === 1 ? "The action happened." : `Each of ${one.actions.length} actions happened.`}
        </p>
      ) : null}
      <Numbers />
    </section>
  );
}
