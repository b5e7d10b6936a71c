import { useState } from "preact/hooks";
import { Chart } from "./chart";
import { current, goTo, step, tab, trace } from "./state";

export function SweepTab() {
  const profile = current.value.profile!;
  const report = current.value.report;
  const [states, setStates] = useState(false);
  const [log, setLog] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const now = trace.value;
  const column = new Map(profile.progress.map((text, index) => [text, index]));
  const columnOf = (position: number) => column.get(now?.progress(position) ?? "");
  const marks = now ? [...new Set(Array.from({ length: now.length }, (_, position) => columnOf(position)).filter((one) => one !== undefined))] : [];
  const front = chosen ?? (now ? (columnOf(step.value) ?? null) : null);
  const peak = profile.stored.indexOf(Math.max(...profile.stored));
  const inLayer = now && front !== null ? Array.from({ length: now.length }, (_, position) => position).filter((position) => columnOf(position) === front) : [];
  const regress = Object.entries(report?.regressing ?? {});
  return (
    <section>
      <div class="bar">
        <label><input type="radio" name="what" checked={!states} onChange={() => setStates(false)} /> stored</label>
        <label><input type="radio" name="what" checked={states} onChange={() => setStates(true)} /> states of each layer</label>
        <label><input type="checkbox" checked={log} onChange={(event) => setLog(event.currentTarget.checked)} /> logarithmic</label>
        <span class="soft">progress →, a click chooses a layer</span>
      </div>
      <Chart profile={profile} height={260} states={states} log={log} at={front} marks={marks as number[]} onPick={setChosen} />
      {front !== null && (
        <p>
          Layer {profile.progress[front]}{profile.wide > 1 ? ` and the ${profile.wide - 1} after it` : ""}: {profile.states[front]!.toLocaleString("en")} states,{" "}
          {profile.stored[front]!.toLocaleString("en")} stored when it was left. What lies left of it was forgotten by then, unless it had to be kept.
        </p>
      )}
      {inLayer.length > 0 && (
        <p>
          Steps of the trace here:{" "}
          {inLayer.slice(0, 20).map((position) => <button onClick={() => { goTo(position); tab.value = "trace"; }}>{position}</button>)}
          {inLayer.length > 20 && ` and ${inLayer.length - 20} more`}
        </p>
      )}
      <dl class="numbers">
        <dt>measure</dt><dd>{report?.measure ?? "none"}</dd>
        <dt>layers</dt><dd>{profile.of.toLocaleString("en")}{profile.wide > 1 ? `, ${profile.wide} in each column (the largest number of them)` : ""}</dd>
        <dt>most were stored</dt><dd>{Math.max(...profile.stored).toLocaleString("en")}, at progress {profile.progress[peak]}</dd>
        {regress.length > 0 && <><dt>steps that go back</dt><dd>{regress.map(([name, count]) => `${name} ${count.toLocaleString("en")}`).join(", ")}</dd></>}
      </dl>
      <details>
        <summary>as a table</summary>
        <table class="grid">
          <thead><tr><th>progress</th><th>states</th><th>stored</th></tr></thead>
          <tbody>
            {profile.progress.slice(0, 500).map((text, index) => (
              <tr><td>{text}</td><td>{profile.states[index]!.toLocaleString("en")}</td><td>{profile.stored[index]!.toLocaleString("en")}</td></tr>
            ))}
          </tbody>
        </table>
        {profile.progress.length > 500 && <p>The first 500 of {profile.progress.length} rows.</p>}
      </details>
    </section>
  );
}
