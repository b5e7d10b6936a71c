import { useMemo, useState } from "preact/hooks";
import { Chart } from "./chart";
import type { Profile } from "./data";
import type { Snapshot } from "./live";
import { current, goTo, running, snapshots, step, tab, trace } from "./state";
import { along } from "./trace";

/** A run that is going on: stored states over the layers that it has left; collections make the curve drop. */
function Moving() {
  const all = snapshots.value;
  const last = all[all.length - 1]!;
  const before = all[Math.max(0, all.length - 6)]!;
  const [wide, high] = [1000, 240];
  const top = Math.max(1, ...all.map((one) => one.stored));
  const far = Math.max(1, last.layers);
  const x = (moment: Snapshot) => ((wide - 4) * moment.layers) / far;
  const y = (moment: Snapshot) => high - 2 - (high - 10) * (moment.stored / top);
  const rate = last.seconds > before.seconds ? (last.explored - before.explored) / (last.seconds - before.seconds) : 0;
  return (
    <section aria-live="off">
      <p class="sentence">The sweep is at progress {JSON.stringify(last.progress)}, in layer {last.layers.toLocaleString("en")}{last.sweeps > 1 ? ` of sweep ${last.sweeps}` : ""}.</p>
      <svg class="chart" role="img" viewBox={`0 0 ${wide} ${high}`} preserveAspectRatio="none" style={{ height: `${high}px` }}>
        <title>{`stored states so far, at most ${top.toLocaleString("en")}; now ${last.stored.toLocaleString("en")}`}</title>
        <path class="area" d={`M0 ${high}${all.map((one) => `L${x(one).toFixed(1)} ${y(one).toFixed(1)}`).join("")}V${high}Z`} />
        <rect class="front" x={wide - 6} y={0} width={6} height={high} />
      </svg>
      <p class="soft">Stored states over layers, so far; the bar is the front. What lies left of it is forgotten, as far as nothing needs it any more.</p>
      <dl class="numbers">
        <dt>explored</dt><dd>{last.explored.toLocaleString("en")}</dd>
        <dt>stored now</dt><dd>{last.stored.toLocaleString("en")}</dd>
        <dt>stored at most</dt><dd>{last.peak.toLocaleString("en")}</dd>
        <dt>states a second</dt><dd>{Math.round(rate).toLocaleString("en")}</dd>
        <dt>memory of the process</dt><dd>{(last.memory_bytes / 1048576).toFixed(1)} MiB</dd>
        <dt>time</dt><dd>{last.seconds.toFixed(1)} s</dd>
      </dl>
    </section>
  );
}

export function SweepTab() {
  return running.value && snapshots.value.length ? <Moving /> : <Done />;
}

function Done() {
  const profile = current.value.profile!;
  const report = current.value.report;
  const [states, setStates] = useState(false);
  const [log, setLog] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const now = trace.value;
  const columns = useMemo(() => {
    const column = new Map(profile.progress.map((text, index) => [text, index]));
    const points = now?.data.progress;
    return points ? Array.from(along(points, now.length), (value) => column.get(now.differ.text(value))) : [];
  }, [profile, now]);
  const table = useMemo(() => <Table profile={profile} />, [profile]); // drawn once, not at every step
  const stepsOf = useMemo(() => {
    const found = new Map<number | undefined, number[]>();
    for (const [position, column] of columns.entries()) found.get(column)?.push(position) ?? found.set(column, [position]);
    return found;
  }, [columns]);
  const marks = useMemo(() => [...new Set(columns.filter((one) => one !== undefined))], [columns]);
  const front = chosen ?? (now ? (columns[step.value] ?? null) : null);
  const peak = profile.stored.indexOf(Math.max(...profile.stored));
  const inLayer = front !== null ? (stepsOf.get(front) ?? []) : [];
  const regress = Object.entries(report?.regressing ?? {});
  return (
    <section>
      <div class="bar">
        <label><input type="radio" name="what" checked={!states} onChange={() => setStates(false)} /> stored</label>
        <label><input type="radio" name="what" checked={states} onChange={() => setStates(true)} /> states of each layer</label>
        <label><input type="checkbox" checked={log} onChange={(event) => setLog(event.currentTarget.checked)} /> logarithmic</label>
        <span class="soft">progress →, a click chooses a layer</span>
      </div>
      <Chart profile={profile} height={260} states={states} log={log} at={front} marks={marks} onPick={setChosen} />
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
      {table}
    </section>
  );
}

function Table({ profile }: { profile: Profile }) {
  return (
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
  );
}
