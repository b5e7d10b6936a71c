import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { ActionsTab } from "./actions";
import type { VerdictData } from "./data";
import { GraphTab } from "./graph";
import { Help } from "./help";
import { LanesTab } from "./lanes";
import { LiveBar } from "./livebar";
import { NetTab } from "./net";
import { Save } from "./save";
import { current, data, helping, openRun, run, size, step, tab, type Tab, tabs, theme, trace } from "./state";
import { SweepTab } from "./sweep";
import { TablesTab } from "./tables";
import { TraceTab } from "./tracetab";
import { TradeoffTab } from "./tradeoff";
import { VerdictsTab } from "./verdicts";

const VIEWS: Record<Tab, [name: string, view: () => JSX.Element]> = {
  tables: ["Tables", TablesTab],
  tradeoff: ["Trade-off", TradeoffTab],
  verdicts: ["Verdicts", VerdictsTab],
  trace: ["Trace", TraceTab],
  lanes: ["Lanes", LanesTab],
  net: ["Net", NetTab],
  sweep: ["Sweep", SweepTab],
  actions: ["Actions", ActionsTab],
  graph: ["Graph", GraphTab],
};
export const MARKS = { violated: "✗", inconclusive: "?", holds: "✓" } as const;

function summary(): string {
  const found = current.value.verdicts;
  const count = (status: string) => found.filter((verdict) => verdict.status === status).length;
  const parts = [
    [count("violated"), "✗", "violated"],
    [count("inconclusive"), "?", "inconclusive"],
    [count("holds"), "✓", "hold"],
  ] as const;
  return parts.filter(([number]) => number).map(([number, mark, word]) => `${mark} ${number} ${word}`).join("  ");
}

/** How far the answers reach, in words. */
function reach(): string {
  const report = current.value.report;
  const kinds = [...new Set(current.value.verdicts.map((verdict) => verdict.guarantee ?? ""))].filter((one) => one && one !== "none");
  const seen = report ? (report.complete ? "all states seen" : "not all states seen") : "";
  return [kinds.join(" and "), seen].filter(Boolean).join(", ");
}

function Header() {
  const one = current.value;
  return (
    <header>
      <h1 class="brand">sweepcheck</h1>
      {data.value.runs.length > 1 ? (
        <select aria-label="model" value={run.value} onChange={(event) => openRun(Number(event.currentTarget.value))}>
          {data.value.runs.map((other, number) => (
            <option value={number}>{other.reference}</option>
          ))}
        </select>
      ) : (
        <span>{one.reference}</span>
      )}
      <span class="soft" title={one.parameters}>{one.parameters}</span>
      <span class="summary">{summary()}</span>
      <span class="soft reach" title={reach()}>{reach()}</span>
      <span class="space" />
      <button title="keys (?)" onClick={() => (helping.value = true)}>?</button>
      <button title="smaller type" onClick={() => (size.value = Math.max(11, size.value - 1))}>A−</button>
      <button title="larger type" onClick={() => (size.value = Math.min(28, size.value + 1))}>A+</button>
      <button
        title="light, dark, or as the system says"
        onClick={() => (theme.value = theme.value === "auto" ? "dark" : theme.value === "dark" ? "light" : "auto")}
      >
        {theme.value === "auto" ? "theme" : theme.value}
      </button>
      <Save />
    </header>
  );
}

function Tabs() {
  const move = (event: KeyboardEvent, name: Tab) => {
    const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (to === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    const all = tabs.value;
    const next = all[(all.indexOf(name) + to + all.length) % all.length]!;
    tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" class="tabs">
      {tabs.value.map((name, index) => (
        <button
          role="tab"
          id={`tab-${name}`}
          aria-selected={tab.value === name}
          aria-controls="view"
          tabIndex={tab.value === name ? 0 : -1}
          onKeyDown={(event) => move(event, name)}
          onClick={() => (tab.value = name)}
        >
          <span class="soft">{index + 1}</span> {VIEWS[name][0]}
        </button>
      ))}
    </div>
  );
}

/** Whether a run that ended early has answered all that was asked. */
function decided(verdicts: VerdictData[]): boolean {
  return verdicts.length > 0 && verdicts.every((verdict) => verdict.status !== "inconclusive");
}

const FEW = 2; // warnings that are on every tab

/** What makes the answers worth less than they seem; on every tab, and it cannot be closed. Of many, all are with the verdicts. */
function Banner() {
  const one = current.value;
  const lines = [...(one.stopped && !decided(one.verdicts) ? [one.stopped] : []), ...(one.warnings ?? [])];
  if (one.error) return <div role="region" aria-label="error" class="banner bad"><pre>{one.error}</pre></div>;
  const [first, shown] = [lines.slice(0, FEW), tab.value === "verdicts" ? lines.slice(FEW) : []];
  const more = lines.length - first.length - shown.length;
  return lines.length ? (
    <div role="region" aria-label="warnings" class="banner">
      {[...first, ...shown].map((line) => <div>{line}</div>)}
      {more > 0 && <div>{more} more {more === 1 ? "warning" : "warnings"} on <button class="plain" onClick={() => (tab.value = "verdicts")}>{VIEWS.verdicts[0]}</button></div>}
    </div>
  ) : null;
}

/** Says the step once a key rests. */
function Spoken() {
  return <div class="spoken" role="status" aria-live="polite" id="spoken" />;
}

export function App() {
  useSignalEffect(() => {
    const found = current.value.verdicts;
    const failed = found.filter((verdict) => verdict.status === "violated").length;
    const open = current.value.error !== undefined || found.some((verdict) => verdict.status === "inconclusive");
    const mark = failed ? `✗ ${failed}` : open ? "?" : found.length ? "✓" : "";
    const about = data.value.tables ? "tables of the papers" : current.value.reference;
    document.title = `${mark} - ${about}`.replace(/^ - /, "");
  });
  useSignalEffect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    document.documentElement.style.fontSize = `${size.value}px`;
  });
  useSignalEffect(() => {
    const said = trace.value && tab.value !== "verdicts" ? trace.value.sentence(step.value) : "";
    const timer = setTimeout(() => {
      const element = document.getElementById("spoken");
      if (element) element.textContent = said;
    }, 300);
    return () => clearTimeout(timer);
  });
  const shown = tabs.value.includes(tab.value) ? tab.value : (tabs.value[0] ?? "verdicts");
  const [, View] = VIEWS[shown];
  const waits = (shown === "trace" || shown === "lanes") && !trace.value; // the next trace is on its way from the server
  return (
    <>
      <Header />
      <nav aria-label="views"><Tabs /></nav>
      <Banner />
      <LiveBar />
      <main>
        <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${tab.value}`} tabIndex={-1}>
          {!waits && <View />}
        </div>
      </main>
      <Spoken />
      {helping.value && <Help />}
    </>
  );
}
