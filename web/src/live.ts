// The live page: asks the server that sent it, goes on from states, and follows a run.
import { signal } from "@preact/signals";
import type { Document, NetData, Offer, RunData, TraceData, Value } from "./data";
import { current, data, explored, openRun, openTrace, run, running, snapshots, step, tab, trace, traceNumber } from "./state";
import type { Trace } from "./trace";

export interface Snapshot {
  progress: unknown;
  explored: number;
  stored: number;
  peak: number;
  layers: number;
  sweeps: number;
  seconds: number;
  memory_bytes: number;
}

interface Shown {
  state: Record<string, number>;
  holds: Record<string, boolean>;
  progress: number | null;
  enabled: Offer[];
  more: number;
  failed: string | null;
  reads: string[] | null;
}

interface Answer {
  error?: string;
  labels: string[];
  ended: string | null;
  states: Shown[];
  values: Value[];
}

export const live = signal(false);
export const stale = signal(false);
export const message = signal(""); // about the walk
export const ended = signal(""); // about the run
export const lost = signal(false);
const values: Value[] = [];
let invariants: string[] = [];
let token = "";
let version = 0;

async function ask<T>(method: string, path: string, body?: unknown): Promise<T | null> {
  try {
    const init: RequestInit = { method, headers: { Authorization: `Bearer ${token}` } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`/api/v1/${path}`, init);
    lost.value = false;
    return (await response.json()) as T;
  } catch {
    lost.value = true;
    return null;
  }
}

/** Takes the token out of the address, so that a copied one does not give it away. */
export async function beginLive(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", "#");
  }
  token = given ?? sessionStorage.getItem("token") ?? "";
  live.value = true;
  const model = await ask<{ error?: string; reference: string; model?: string; parameters?: string; invariants?: string[]; net?: NetData | null }>("GET", "model");
  invariants = model?.invariants ?? [];
  const one: RunData = { reference: model?.reference ?? "", verdicts: [], traces: [], values: [] };
  if (model?.model !== undefined) one.model = model.model;
  if (model?.parameters !== undefined) one.parameters = model.parameters;
  if (model?.net) one.net = model.net;
  if (model?.error) one.error = model.error;
  data.value = { view: 1, runs: [one] };
  if (!model?.error) await goOn(null, [], 0);
  setInterval(() => void follow(), 300);
}

async function follow(): Promise<void> {
  if (!running.value && document.hidden) return;
  const now = await ask<{ running: boolean; version: number; stale: boolean; message: string; snapshots: Snapshot[]; view?: Document }>("GET", `run?since=${snapshots.value.length}&have=${version}`);
  if (!now) return;
  running.value = now.running;
  stale.value = now.stale;
  ended.value = now.message;
  if (now.snapshots.length) snapshots.value = [...snapshots.value, ...now.snapshots];
  if (!now.running && now.view) {
    version = now.version;
    show(now.view);
  }
}

/** A result has come: what was walked by hand stays. */
function show(found: Document): void {
  const [before, steps, number] = [tab.value, step.value, traceNumber.value];
  const walked = trace.value?.data.explored ?? false;
  const net = current.value.net;
  data.value = { ...found, runs: found.runs.map((one) => ({ ...one, net: one.net ?? net ?? null })) };
  const shift = current.value.traces.length;
  if (walked && before !== "verdicts") {
    tab.value = before;
    traceNumber.value = shift + Math.max(0, number - shift);
    step.value = steps;
  } else openRun(run.value);
}

export async function startRun(): Promise<void> {
  snapshots.value = [];
  message.value = ended.value = "";
  running.value = true;
  const changed = stale.value;
  await ask("POST", "run", {});
  if (changed && !(await ask<{ error?: string }>("GET", "model"))?.error) { // else what was walked stays as it was
    values.length = 0;
    const again = explored.value;
    explored.value = [];
    for (const one of again) await goOn(one.root ?? null, one.steps.map((number) => one.labels[number]!.text), 0);
  }
}

export async function stopRun(): Promise<void> {
  await ask("DELETE", "run");
}

function rootOf(one: Trace): Record<string, string> {
  return Object.fromEntries(one.names.map((name) => [name, one.valueText(name, 0)]));
}

/** Takes a step from the state that is shown; elsewhere than at the end of a walk, it begins another one. */
export async function take(label: string): Promise<void> {
  const now = trace.value!;
  await goOn(rootOf(now), [...labelsTo(now, step.value), label], extends_(now) ? now.length : 0);
}

export async function wander(steps: number, until: string): Promise<void> {
  const now = trace.value!;
  const seed = Math.floor(Math.random() * 2 ** 31);
  await goOn(rootOf(now), labelsTo(now, step.value), extends_(now) ? now.length : 0, { steps, until, seed });
}

function labelsTo(one: Trace, end: number): string[] {
  return Array.from({ length: end }, (_, index) => one.label(index + 1));
}

function extends_(one: Trace): boolean {
  return Boolean(one.data.explored) && step.value === one.length - 1;
}

async function goOn(root: Record<string, string> | null, labels: string[], have: number, random?: unknown): Promise<void> {
  const answer = await ask<Answer>("POST", "explore", { root, labels, have, known: values.length, random });
  if (!answer) return;
  message.value = answer.error ?? answer.ended ?? "";
  if (answer.error) return;
  values.push(...answer.values);
  const shift = current.value.traces.length;
  const own = traceNumber.value - shift;
  if (have > 0 && explored.value[own]) {
    const longer = extended(explored.value[own]!, answer, have);
    explored.value = explored.value.map((one, index) => (index === own ? longer : one));
    step.value = longer.steps.length;
  } else {
    const fresh: TraceData = { loop: null, labels: [], steps: [], columns: {}, holds: {}, invariants, progress: [], messages: [], possible: [], enabled: {}, offers: {}, explored: true, values, places: [], reads: { names: [], sets: [], steps: [] } };
    const made = extended(fresh, answer, 0);
    if (root) made.root = root;
    explored.value = [...explored.value, made];
    openTrace(shift + explored.value.length - 1);
    step.value = made.steps.length;
  }
}

/** The trace with the states of an answer, of which the first has the number `from`. */
function extended(one: TraceData, answer: Answer, from: number): TraceData {
  const next: TraceData = structuredClone({ ...one, values: [] });
  next.values = [...values];
  answer.states.forEach((shown, index) => {
    const number = from + index;
    if (number > 0) {
      const text = answer.labels[number - 1]!;
      const before = next.offers![String(number - 1)]?.find((edge) => edge.label === text);
      let known = next.labels.findIndex((label) => label.text === text);
      if (known < 0) {
        known = next.labels.length;
        next.labels.push({ text, action: before?.action ?? text.replace(/\(.*$/s, ""), owner: before?.owner ?? null, arguments: before?.arguments ?? [] });
        next.places!.push(before?.where ?? null);
      }
      next.steps.push(known);
      next.reads!.steps.push(readSet(next.reads!, shown.reads));
    }
    for (const [name, value] of Object.entries(shown.state)) point((next.columns[name] ??= []), number, value);
    for (const [name, truth] of Object.entries(shown.holds)) point((next.holds[name] ??= []), number, Number(truth));
    if (shown.progress === null) next.progress = null;
    else if (next.progress) point(next.progress, number, shown.progress);
    next.enabled![String(number)] = shown.enabled.map((edge) => {
      const there = next.possible!.findIndex(([text]) => text === edge.label);
      return there < 0 ? next.possible!.push([edge.label, edge.action]) - 1 : there;
    });
    next.offers![String(number)] = shown.enabled;
    if (shown.more) (next.unlisted ??= {})[String(number)] = shown.more;
    if (shown.failed) (next.failures ??= {})[String(number)] = shown.failed;
  });
  return next;
}

/** The number of a set of names that were read, which is added where it is new. */
function readSet(reads: NonNullable<TraceData["reads"]>, names: string[] | null): number {
  if (!names) return -1;
  const numbers = names.map((name) => (reads.names.includes(name) ? reads.names.indexOf(name) : reads.names.push(name) - 1));
  const known = reads.sets.findIndex((set) => set.length === numbers.length && set.every((number, index) => number === numbers[index]));
  return known < 0 ? reads.sets.push(numbers) - 1 : known;
}

function point(points: number[], at: number, value: number): void {
  if (!points.length || points[points.length - 1] !== value) points.push(at, value);
}
