// Tables of papers that were made again: published figures and ours, side by side.
import { useState } from "preact/hooks";
import type { CellData, TableData } from "./data";
import { data } from "./state";

const SIGNS: Record<string, string> = { equal: "=", "reconstructed model": "~", "own model": "○", differs: "≠", time: "" };
const MEANINGS: [string, string][] = [
  ["=", "equal, as the paper rounds it"],
  ["~", "another figure: the model is reconstructed"],
  ["○", "another figure: the model is our own"],
  ["≠", "another figure, for the reason given"],
];

/** A figure as the paper writes it. */
function figure(value: CellData["published"], form: string): string {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (form === "count") return value.toLocaleString("en");
  if (form === "ratio") return value.toFixed(2);
  if (form === "extra") return `${value > 0 ? "+" : ""}${value.toFixed(0)} %`;
  return `${value.toFixed(Number(form.slice(-1)))} %`;
}

function Cells({ cell, form, left }: { cell: CellData; form: string; left: boolean }) {
  const mark = SIGNS[cell.mark ?? ""] ?? "";
  const differs = cell.mark === "differs";
  return (
    <>
      <td class="right soft">{figure(cell.published, form)}</td>
      <td class={`right ${differs && cell.reason === null ? "no" : ""}`} title={cell.reason ?? cell.mark ?? ""}>{left ? "" : figure(cell.measured, form)} {mark}</td>
    </>
  );
}

function Made({ table, differing }: { table: TableData; differing: boolean }) {
  const heads = Object.keys(table.rows[0]?.labels ?? {});
  const differs = (cell: CellData) => cell.mark !== null && cell.mark !== "equal" && cell.mark !== "time";
  const rows = table.rows.filter((row) => !differing || Object.values(row.cells).some(differs));
  const reasons = [...new Set(table.rows.flatMap((row) => Object.values(row.cells)).filter(differs).map((cell) => `${SIGNS[cell.mark!]} ${cell.reason ?? "for no reason that is known"}`))];
  if (!rows.length) return null;
  return (
    <article>
      <h2>Paper {table.paper}{table.name ? `, ${table.name}` : ""}: {table.title}</h2>
      <p class="soft">{table.models}</p>
      <div class="wide">
        <table class="grid">
          <thead>
            <tr>{heads.map((head) => <th rowSpan={2}>{head}</th>)}{table.columns.map((column) => <th colSpan={2}>{column.title}</th>)}<th rowSpan={2}>remark</th></tr>
            <tr>{table.columns.map(() => <><th>paper</th><th>here</th></>)}</tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {heads.map((head) => <td>{row.labels[head]}</td>)}
                {table.columns.map((column) => <Cells cell={row.cells[column.name]!} form={column.form} left={row.left_out !== null} />)}
                <td class="soft">{row.left_out ? `left out (${row.left_out})` : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {reasons.map((reason) => <p class="soft">{reason}</p>)}
      {table.note && <p class="soft">{table.note}</p>}
    </article>
  );
}

export function TablesTab() {
  const found = data.value.tables!;
  const [differing, setDiffering] = useState(false);
  return (
    <section>
      <pre class="summary">{found.summary}</pre>
      <p class="soft">{MEANINGS.map(([sign, meaning]) => `${sign} ${meaning}`).join("   ")}</p>
      <label><input type="checkbox" checked={differing} onChange={(event) => setDiffering(event.currentTarget.checked)} /> only rows with other figures</label>
      {found.tables.map((table) => <Made table={table} differing={differing} />)}
    </section>
  );
}
