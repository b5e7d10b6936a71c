// What the reader has chosen; all of it is in the address, so that a copied address opens the same view.
import { computed, effect, signal } from "@preact/signals";
import type { Document, RunData, TraceData } from "./data";
import { foldedRows, type Row } from "./folds";
import type { Snapshot } from "./live";
import { search, Trace } from "./trace";
import { readBy, slice } from "./why";

export const TABS = ["tables", "tradeoff", "verdicts", "trace", "lanes", "net", "sweep", "actions", "graph"] as const;
export type Tab = (typeof TABS)[number];

export const data = signal<Document>({ view: 1, runs: [] });
export const run = signal(0);
export const tab = signal<Tab>("verdicts");
export const traceNumber = signal(0);
export const step = signal(0);
export const marked = signal<number | null>(null);
export const query = signal("");
export const hidden = signal<ReadonlySet<string>>(new Set());
export const filter = signal(""); // words that the names of shown variables have
export const watches = signal<readonly string[]>([]); // expressions
export const folding = signal(true); // blocks that repeat are one row
export const mattering = signal<number | null>(null); // steps that this one does not depend on are dimmed
export const onlyChanges = signal(false);
export const changesFirst = signal(false);
export const part = signal<"whole" | "prefix" | "loop">("whole"); // of the steps of a run without end
export const enabledShown = signal(true); // in nets
export const halt = signal<string | null>(null); // playing stops where this transition fires
export const playing = signal(false);
export const speed = signal(1);
export const helping = signal(false);
export const snapshots = signal<Snapshot[]>([]); // of the run that a live page follows
export const running = signal(false);
export const keys = signal(true); // single letters do something
export const theme = signal<"auto" | "light" | "dark">("auto");
export const size = signal(16);

const NONE: RunData = { reference: "", verdicts: [], traces: [], values: [] };
export const current = computed<RunData>(() => data.value.runs[run.value] ?? NONE);
/** What was walked through by hand, where a server is behind the page. */
export const explored = signal<TraceData[]>([]);
const traces = computed(() => [...current.value.traces, ...explored.value]);
export const trace = computed<Trace | null>(() => {
  const one = traces.value[traceNumber.value];
  return one ? new Trace(one, current.value) : null;
});
export const hits = computed<number[] | null>(() => (trace.value ? search(trace.value, query.value) : null));

export const isHit = computed<ReadonlySet<number>>(() => new Set(hits.value));

/** The rows of the list of steps: where the same steps come again and again, one row for all of them. */
export const rows = computed<Row[]>(() => {
  const now = trace.value;
  if (!now || !folding.value) return [];
  const borders = new Set([now.length - 1, now.data.bad ?? 0, (now.loop ?? -1) + 1]);
  return foldedRows(now.data.steps, borders);
});

/** The steps that the one in question depends on, and where that begins; null: all are shown alike. */
export const matter = computed<Set<number> | null>(() => {
  const now = trace.value;
  const at = mattering.value;
  if (!now || at === null || !now.data.reads) return null;
  const asked = at === now.length - 1 ? (now.data.looked_at ?? []) : [];
  const found = asked.length ? slice(now, asked, at) : slice(now, readBy(now, at) ?? [], at - 1);
  return asked.length ? found : found.add(at);
});

export const tabs = computed<Tab[]>(() => {
  const one = current.value;
  const there: Record<Tab, boolean> = {
    tables: Boolean(data.value.tables),
    tradeoff: Boolean(data.value.tradeoff),
    verdicts: data.value.runs.length > 0,
    trace: traces.value.length > 0,
    lanes: [...one.traces, ...explored.value].some((found) => found.labels.some((label) => label.owner !== null)),
    net: Boolean(one.net),
    sweep: Boolean(one.profile) || (running.value && snapshots.value.some((moment) => moment.progress !== null)),
    actions: Boolean(one.actions?.length),
    graph: Boolean(one.graph),
  };
  return TABS.filter((name) => there[name]);
});

export function goTo(target: number): void {
  const last = (trace.value?.length ?? 1) - 1;
  step.value = Math.max(0, Math.min(last, target));
}

/** The next step, round and round in a loop while it plays. */
export function advance(): void {
  const now = trace.value;
  if (!now) return;
  if (step.value < now.length - 1) step.value += 1;
  else if (now.loop !== null && now.loop < now.length - 1) step.value = now.loop + 1;
  else playing.value = false;
  if (halt.value !== null && now.action(step.value) === halt.value) playing.value = false;
}

export function openTrace(view: number, where: Tab = "trace"): void {
  traceNumber.value = view;
  mattering.value = null;
  part.value = "whole";
  step.value = trace.value?.start ?? 0;
  tab.value = where;
}

export function openRun(number: number): void {
  run.value = number;
  traceNumber.value = 0;
  query.value = "";
  marked.value = null;
  mattering.value = null;
  recall();
  const first = current.value.verdicts.find((verdict) => verdict.status === "violated" && verdict.view !== undefined);
  const shown = first ?? (current.value.verdicts.length ? undefined : { view: 0 });
  if (shown?.view !== undefined && traces.value.length) openTrace(shown.view);
  else tab.value = tabs.value[0] ?? "verdicts";
  step.value = trace.value?.start ?? 0;
}

export function nextHit(direction: 1 | -1): void {
  const found = hits.value;
  if (!found?.length) return;
  const next = direction === 1 ? found.find((hit) => hit > step.value) : found.findLast((hit) => hit < step.value);
  goTo(next ?? found[direction === 1 ? 0 : found.length - 1]!);
}

export function hide(name: string): void {
  hidden.value = new Set([...hidden.value, name]);
}

interface Kept {
  hide: string[];
  filter: string;
  watch: string[];
  fold: boolean;
}

/** What is kept for the next page about the same model, as far as the browser lets us. */
function keptUnder(): string {
  return `sweepcheck ${current.value.model ?? current.value.reference}`;
}

function recall(): void {
  let kept: Partial<Kept> = {};
  try {
    kept = (JSON.parse(localStorage.getItem(keptUnder()) ?? "{}") as Partial<Kept> | null) ?? {};
  } catch {
    // Nothing can be kept here.
  }
  hidden.value = new Set(texts(kept.hide));
  filter.value = typeof kept.filter === "string" ? kept.filter : "";
  watches.value = texts(kept.watch);
  folding.value = kept.fold !== false;
}

function keep(): void {
  const kept: Kept = { hide: [...hidden.value], filter: filter.value, watch: [...watches.value], fold: folding.value };
  const plain = !kept.hide.length && !kept.filter && !kept.watch.length && kept.fold;
  try {
    if (plain) localStorage.removeItem(keptUnder());
    else localStorage.setItem(keptUnder(), JSON.stringify(kept));
  } catch {
    // Nothing can be kept here.
  }
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}

/** Reads the address, and from then on writes it. */
export function followAddress(): void {
  readAddress();
  effect(() => {
    const chosen = new URLSearchParams();
    if (run.value) chosen.set("run", String(run.value));
    chosen.set("tab", tab.value);
    if (trace.value) {
      chosen.set("trace", String(traceNumber.value));
      chosen.set("step", String(step.value));
    }
    if (query.value) chosen.set("find", query.value);
    if (hidden.value.size) chosen.set("hide", JSON.stringify([...hidden.value]));
    if (filter.value) chosen.set("show", filter.value);
    if (watches.value.length) chosen.set("watch", JSON.stringify(watches.value));
    if (marked.value !== null) chosen.set("marked", String(marked.value));
    const address = `#${chosen}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  });
  effect(keep);
  addEventListener("hashchange", readAddress);
}

function readAddress(): void {
  const chosen = new URLSearchParams(location.hash.slice(1));
  const whole = (name: string, most: number) => {
    const number = Number(chosen.get(name));
    return Number.isInteger(number) && number >= 0 && number <= most ? number : 0;
  };
  openRun(whole("run", data.value.runs.length - 1));
  if (chosen.has("trace") && traces.value.length) {
    traceNumber.value = whole("trace", traces.value.length - 1);
    step.value = chosen.has("step") ? whole("step", trace.value!.length - 1) : trace.value!.start;
  }
  const wanted = chosen.get("tab") as Tab | null;
  if (wanted && tabs.value.includes(wanted)) tab.value = wanted;
  query.value = chosen.get("find") ?? "";
  if (chosen.has("marked") && trace.value) marked.value = whole("marked", trace.value.length - 1);
  if (chosen.has("hide")) hidden.value = new Set(listed(chosen.get("hide")));
  if (chosen.has("show")) filter.value = chosen.get("show")!;
  if (chosen.has("watch")) watches.value = listed(chosen.get("watch"));
}

function listed(text: string | null): string[] {
  try {
    return texts(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
