// The live page: asks the server that sent it, goes on from states, and follows a run.
import { effect, signal } from "@preact/signals";
import type { Document, NetData, Offer, RunData, TraceData, Value } from "./data";
import { current, data, explored, openRun, openTrace, query, run, running, snapshots, step, tab, tabs, trace, traceNumber } from "./state";
import { Trace } from "./trace";

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
}

/** What is possible in the last state of an answer. */
interface Offered {
  enabled: Offer[];
  more: number;
  many: boolean; // nobody has counted all of them
  failed: string | null;
}

interface Answer {
  error?: string;
  again?: boolean; // the values that are known are those of another process
  process: number;
  labels: string[];
  ended: string | null;
  steps: (Omit<Offer, "changes"> & { reads: string[] | null })[];
  states: Shown[];
  offers: Offered;
  values: Value[];
}

interface Model {
  error?: string;
  reference: string;
  model?: string;
  parameters?: string;
  invariants?: string[];
  net?: NetData | null;
}

export const live = signal(false);
export const stale = signal(false);
export const message = signal(""); // about the walk
export const ended = signal(""); // about the run
export const lost = signal(false);
export const asking = signal(false); // a question about states takes long
let looked: [TraceData | null, number] = [null, 0]; // the state that was asked about last
let turn: Promise<void> = Promise.resolve(); // of questions about states
let process: number | null = null; // the one whose values these are
const values: Value[] = [];
let invariants: string[] = [];
let token = "";
let version = 0;

/** The result in a file of its own. */
export async function savedPage(): Promise<string | null> {
  try {
    const response = await fetch("/api/v1/page", { headers: { Authorization: `Bearer ${token}` } });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T | null> {
  try {
    const init: RequestInit = { method, headers: { Authorization: `Bearer ${token}` } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`/api/v1/${path}`, init);
    lost.value = response.status === 403; // another server is there now, with another token
    return lost.value ? null : (await response.json()) as T;
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
  const model = await ask<Model>("GET", "model");
  data.value = { view: 1, runs: [withoutRun(model)] };
  if (model && !model.error) await goOn(null, [], 0);
  setInterval(() => void follow(), 300);
  effect(() => void lookHere(trace.value, step.value));
}

/** The model before anything is known of its states. */
function withoutRun(model: Model | null): RunData {
  invariants = model?.invariants ?? [];
  const one: RunData = { reference: model?.reference ?? "", verdicts: [], traces: [], values: [] };
  if (model?.model !== undefined) one.model = model.model;
  if (model?.parameters !== undefined) one.parameters = model.parameters;
  if (model?.net) one.net = model.net;
  if (model?.error) one.error = model.error;
  return one;
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

/** A result has come: what was walked by hand stays, and so does the place in a trace that is still there. */
function show(found: Document): void {
  const [view, steps, sought, before, about] = [tab.value, step.value, query.value, trace.value, shownProperty()];
  const own = traceNumber.value - current.value.traces.length; // of what was walked by hand
  const net = current.value.net;
  data.value = { ...found, runs: found.runs.map((one) => ({ ...one, net: one.net ?? net ?? null })) };
  const same = current.value.verdicts.find((verdict) => verdict.view !== undefined && about !== null && verdict.name === about)?.view;
  if (own >= 0 && before && before.length > 1 && view !== "verdicts") {
    traceNumber.value = current.value.traces.length + own;
    step.value = steps;
  } else if (before && same !== undefined) {
    openTrace(same, view);
    if (startsAlike(trace.value!, before, steps)) step.value = steps;
  } else return openRun(run.value);
  query.value = sought;
  tab.value = tabs.value.includes(view) ? view : "trace";
}

/** The name of the property whose trace is looked at. */
function shownProperty(): string | null {
  return current.value.verdicts.find((verdict) => verdict.view === traceNumber.value)?.name ?? null;
}

function startsAlike(one: Trace, other: Trace, steps: number): boolean {
  return one.length > steps && Array.from({ length: steps }, (_, index) => index + 1).every((number) => one.label(number) === other.label(number));
}

export async function startRun(): Promise<void> {
  if (running.value) return;
  snapshots.value = [];
  message.value = ended.value = "";
  running.value = true;
  const changed = stale.value || !explored.value.length;
  await ask("POST", "run", {});
  if (changed) await reload();
}

/** The file has changed: its model is there anew. */
async function reload(): Promise<void> {
  const model = await ask<Model>("GET", "model");
  if (!model || model.error) return; // what was walked stays as it was
  const net = withoutRun(model).net ?? null;
  data.value = { ...data.value, runs: data.value.runs.map((one) => ({ ...one, net })) };
  if (explored.value.length) await (turn = turn.then(walkAgain));
  else await goOn(null, [], 0);
}

/** What was walked by hand is walked again, as far as it goes. */
async function walkAgain(): Promise<void> {
  values.length = 0;
  const made: TraceData[] = [];
  const said: string[] = [];
  for (const one of explored.value) {
    const labels = one.steps.map((number) => one.labels[number]!.text);
    const answer = await ask<Answer>("POST", "explore", { root: one.root ?? null, labels, have: 0, known: values.length, as_far: true });
    if (!answer || answer.error) return void (message.value = answer?.error ?? "");
    process = answer.process;
    values.push(...answer.values);
    const next = extended(fresh(), answer, 0);
    if (one.root) next.root = rootOf(new Trace(next, current.value));
    made.push(next);
    if (answer.ended) said.push(answer.ended);
  }
  explored.value = made;
  message.value = said.join("; ");
  step.value = Math.min(step.value, (trace.value?.length ?? 1) - 1);
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
  if (message.value) message.value += ` (seed ${seed})`;
}

function labelsTo(one: Trace, end: number): string[] {
  return Array.from({ length: end }, (_, index) => one.label(index + 1));
}

function extends_(one: Trace): boolean {
  return Boolean(one.data.explored) && step.value === one.length - 1;
}

/** Back where the walk was one step before; the step can be taken again. */
export function undo(): void {
  if (trace.value && step.value > 0) step.value -= 1;
}

async function goOn(root: Record<string, string> | null, labels: string[], have: number, random?: unknown): Promise<void> {
  const answer = await question({ root, labels, have, random });
  if (!answer) return;
  message.value = answer.error ?? answer.ended ?? "";
  if (answer.error) return;
  const shift = current.value.traces.length;
  const own = traceNumber.value - shift;
  if (have > 0 && explored.value[own]) {
    const longer = extended(explored.value[own]!, answer, have);
    explored.value = explored.value.map((one, index) => (index === own ? longer : one));
    step.value = longer.steps.length;
  } else {
    const made = extended(fresh(), answer, 0);
    if (root) made.root = root;
    explored.value = [...explored.value, made];
    openTrace(shift + explored.value.length - 1);
    step.value = made.steps.length;
  }
}

/** Asks about states, one question after the other: each says which values are known by then. */
function question(body: object): Promise<Answer | null> {
  const mine = turn.then(() => answerTo(body));
  turn = mine.then(() => undefined);
  return mine;
}

async function answerTo(body: object): Promise<Answer | null> {
  const waiting = setTimeout(() => (asking.value = true), 700); // what takes long can be stopped
  const asked = () => ask<Answer>("POST", "explore", { ...body, known: values.length, of: process });
  let answer = await asked();
  if (answer?.again) { // the process has died, and there is another one
    process = null;
    await walkAgain();
    answer = await asked();
  }
  clearTimeout(waiting);
  asking.value = false;
  if (answer && !answer.error) {
    process = answer.process;
    values.push(...answer.values);
  }
  return answer;
}

export async function stopAsking(): Promise<void> {
  await ask("DELETE", "explore");
}

/** Finds out what is possible in a state that was passed, once the reader rests there. */
async function lookHere(now: Trace | null, at: number): Promise<void> {
  if (!now || now.data.offers?.[String(at)]) return;
  await new Promise((done) => setTimeout(done, 150));
  const there = () => trace.value?.data === now.data && step.value === at && !lost.value;
  if (!there() || now.data === looked[0] && at === looked[1]) return;
  looked = [now.data, at];
  const answer = await question({ root: rootOf(now), labels: labelsTo(now, at), have: at + 1 });
  if (!answer || answer.error || !there()) return;
  const found = offered(now.data, answer.offers, at);
  if (now.data.values) found.values = [...values];
  const own = explored.value.indexOf(now.data);
  if (own >= 0) explored.value = explored.value.map((one, index) => (index === own ? found : one));
  else data.value = { ...data.value, runs: data.value.runs.map((one) => ({ ...one, traces: one.traces.map((other) => (other === now.data ? found : other)) })) };
}

function fresh(): TraceData {
  return { loop: null, labels: [], steps: [], columns: {}, holds: {}, invariants, progress: [], messages: [], possible: [], enabled: {}, offers: {}, explored: true, values, places: [], reads: { names: [], sets: [], steps: [] } };
}

/** The trace with the states of an answer, of which the first has the number `from`. */
function extended(one: TraceData, answer: Answer, from: number): TraceData {
  const next: TraceData = structuredClone({ ...one, values: [] });
  next.values = [...values];
  for (const taken of answer.steps) {
    let known = next.labels.findIndex((label) => label.text === taken.label);
    if (known < 0) {
      known = next.labels.push({ text: taken.label, action: taken.action, owner: taken.owner, arguments: taken.arguments }) - 1;
      next.places!.push(taken.where);
    }
    next.steps.push(known);
    next.reads!.steps.push(readSet(next.reads!, taken.reads));
  }
  answer.states.forEach((shown, index) => {
    for (const [name, value] of Object.entries(shown.state)) point((next.columns[name] ??= []), from + index, value);
    for (const [name, truth] of Object.entries(shown.holds)) point((next.holds[name] ??= []), from + index, Number(truth));
    if (shown.progress === null) next.progress = null;
    else if (next.progress) point(next.progress, from + index, shown.progress);
  });
  return offered(next, answer.offers, next.steps.length);
}

/** The trace with what is possible at a step. */
function offered(one: TraceData, found: Offered, at: number): TraceData {
  const labels = [...(one.possible ?? [])];
  const enabled = found.enabled.map((edge) => {
    const there = labels.findIndex(([text]) => text === edge.label);
    return there < 0 ? labels.push([edge.label, edge.action]) - 1 : there;
  });
  const next: TraceData = { ...one, possible: labels, enabled: { ...one.enabled, [at]: enabled }, offers: { ...one.offers, [at]: found.enabled } };
  if (found.more) next.unlisted = { ...one.unlisted, [at]: [found.more, found.many] };
  if (found.failed) next.failures = { ...one.failures, [at]: found.failed };
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
