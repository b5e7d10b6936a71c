// Time against space: one model, explored in several ways.
import type { TradeoffData } from "./data";
import { data, openRun, tab } from "./state";

const [WIDE, HIGH, LEFT, TOP, BELOW] = [760, 340, 60, 26, 46];
type Row = TradeoffData["rows"][number];

/** Numbers for an axis: round, about five of them. */
function ticks(top: number): number[] {
  const rough = top / 5;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= rough)!;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
}

function Mark({ row, x, y }: { row: Row; x: number; y: number }) {
  const shape = row.cached ? <circle cx={x} cy={y} r={5} /> : row.strategy === "full" ? <rect x={x - 6} y={y - 6} width={12} height={12} /> : <path d={`M${x} ${y - 8}L${x + 8} ${y}L${x} ${y + 8}L${x - 8} ${y}Z`} />;
  return <g class={`mark ${row.cached ? "cached" : ""} ${row.complete ? "" : "stopped"}`}>{shape}<title>{words(row)}</title></g>;
}

function words(row: Row): string {
  return `${row.way}: at most ${row.peak.toLocaleString("en")} stored, ${row.complete ? `${row.by_full.toFixed(2)} times as long as full` : "stopped before its end"}`;
}

function Picture({ found }: { found: TradeoffData }) {
  const slowest = Math.max(1, ...found.rows.map((row) => row.by_full));
  const log = slowest > 20;
  const least = Math.min(1, ...found.rows.map((row) => Math.max(row.by_full, 1e-3)));
  const scaled = (value: number) => (log ? Math.log10(Math.max(value, 1e-3) / least) / Math.log10(slowest / least) : value / (slowest * 1.1));
  const x = (share: number) => LEFT + (WIDE - LEFT - 120) * share;
  const y = (value: number) => TOP + (HIGH - BELOW - TOP - 12) * (1 - scaled(value));
  const place = (row: Row): [number, number] => [x(row.peak / Math.max(found.states, 1)), y(row.by_full)];
  const levels = log ? Array.from({ length: 8 }, (_, index) => 10 ** (index - 3)).filter((one) => one >= least && one <= slowest) : ticks(slowest * 1.1);
  const line = found.rows.filter((row) => row.cached && row.complete).map(place).sort((one, other) => one[0] - other[0]);
  return (
    <svg class="scatter" viewBox={`0 0 ${WIDE} ${HIGH}`} width={WIDE} height={HIGH} role="img" aria-label="time over stored states; the table below has the numbers">
      {levels.map((one) => <g><line class="rule" x1={LEFT} x2={WIDE - 60} y1={y(one)} y2={y(one)} /><text x={LEFT - 6} y={y(one) + 4} text-anchor="end">{Number(one.toPrecision(3))}</text></g>)}
      {[0, 0.25, 0.5, 0.75, 1].map((share) => <g><line class="rule" x1={x(share)} x2={x(share)} y1={TOP} y2={HIGH - BELOW} /><text x={x(share)} y={HIGH - BELOW + 18} text-anchor="middle">{share * 100} %</text></g>)}
      <text x={x(0.5)} y={HIGH - 8} text-anchor="middle">most states stored at once, of {found.states.toLocaleString("en")}</text>
      <text transform={`translate(14 ${HIGH / 2 - 20}) rotate(-90)`} text-anchor="middle">time, full = 1{log ? " (logarithmic)" : ""}</text>
      {line.length > 1 && <polyline class="curve" points={line.map((point) => point.join(",")).join(" ")} />}
      {found.rows.map((row) => {
        const [left, top] = place(row);
        return <g><Mark row={row} x={left} y={top} /><text x={left + 9} y={row.cached ? top - 7 : top + 18}>{row.way}</text></g>;
      })}
    </svg>
  );
}

export function TradeoffTab() {
  const found = data.value.tradeoff!;
  return (
    <section>
      <p class="sentence">{found.states.toLocaleString("en")} states, explored in {found.rows.length} ways: how much each stored, and how long it took.</p>
      <Picture found={found} />
      <p class="soft">■ everything is stored  ◆ a sweep  ● a cache of a size; hollow marks were stopped before their end. Times are of this run on this machine.</p>
      <table class="grid">
        <thead><tr><th>strategy</th><th>explored</th><th>stored at most</th><th>of all</th><th>memory of states</th><th>seconds</th><th>by full</th><th>its run</th></tr></thead>
        <tbody>
          {found.rows.map((row, index) => (
            <tr>
              <td>{row.way}</td>
              <td class="right">{row.explored.toLocaleString("en")}</td>
              <td class="right">{row.peak.toLocaleString("en")}</td>
              <td class="right">{found.states ? `${((100 * row.peak) / found.states).toFixed(1)} %` : ""}</td>
              <td class="right">{row.bytes === null ? "not counted" : `${(row.bytes / 1024).toLocaleString("en", { maximumFractionDigits: 1 })} KiB`}</td>
              <td class="right">{row.complete ? "" : "> "}{row.seconds.toFixed(2)}</td>
              <td class="right">{row.complete ? row.by_full.toFixed(2) : "stopped"}</td>
              <td><button onClick={() => { openRun(index); tab.value = "verdicts"; }}>look into it</button></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
