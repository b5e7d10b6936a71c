// Why a step could happen: what it read, who wrote that, and which steps before it matter.
import { contents } from "./diff";
import type { Trace } from "./trace";

/** Whether two names, such as `at` and `at[1]`, are about the same thing or a part of it. */
export function touches(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && (long.length === short.length || "[.".includes(long[short.length]!));
}

/** The variable that a name belongs to. */
export function variableOf(trace: Trace, name: string): string | null {
  if (name in trace.data.columns) return name;
  const cuts = [...name.matchAll(/[[.]/g)].map((cut) => cut.index).reverse();
  return cuts.map((cut) => name.slice(0, cut)).find((part) => part in trace.data.columns) ?? null;
}

/** The last step up to one that changed what a name stands for; 0: nobody did since the start. */
export function lastWriter(trace: Trace, name: string, until: number): number {
  for (const step of changesBackwards(trace, name, until)) {
    if (trace.changes(step).some((change) => touches(change.name, name))) return step;
  }
  return 0;
}

function* changesBackwards(trace: Trace, name: string, until: number): Generator<number> {
  const points = trace.data.columns[variableOf(trace, name) ?? ""] ?? [];
  let [low, high] = [0, points.length / 2]; // how many of the points are not after `until`
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[2 * middle]! <= until) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index > 0; index--) yield points[2 * index]!;
}

/** The names that a step read; null where nobody can tell. */
export function readBy(trace: Trace, step: number): string[] | null {
  const reads = trace.data.reads;
  const set = reads?.steps[step - 1];
  return reads && set !== undefined && set >= 0 ? reads.sets[set]!.map((number) => reads.names[number]!) : null;
}

export interface Cause {
  name: string;
  value: string;
  writer: number; // 0: since the start
  token?: string; // what was taken, where it is one of several
}

/** What a step read, each with who wrote it: of tokens that it took, who put them there. */
export function causes(trace: Trace, names: string[], before: number, taking: boolean): Cause[] {
  return names.flatMap((name) => {
    const taken = taking ? gone(trace, name, before + 1) : [];
    if (!taken.length) return [{ name, value: valueOf(trace, name, before), writer: lastWriter(trace, name, before) }];
    return taken.map((token) => ({ name, token: trace.differ.text(token), value: "", writer: putBy(trace, name, token, before) }));
  });
}

function gone(trace: Trace, name: string, step: number): number[] {
  return moved(trace, name, step - 1, step);
}

/** What a bag, set or queue holds at one step and not at another. */
function moved(trace: Trace, name: string, one: number, other: number): number[] {
  if (!(name in trace.data.columns)) return [];
  const [had, has] = [one, other].map((step) => contents(trace.values[trace.value(name, step)]));
  return had && has ? [...had].filter(([token, times]) => times > (has.get(token) ?? 0)).map(([token]) => token) : [];
}

function putBy(trace: Trace, name: string, token: number, until: number): number {
  for (const step of changesBackwards(trace, name, until)) if (moved(trace, name, step, step - 1).includes(token)) return step;
  return 0;
}

/** The text of a variable or of a part of one. */
export function valueOf(trace: Trace, name: string, step: number): string {
  const variable = variableOf(trace, name);
  if (variable === null) return "";
  let position = trace.value(variable, step);
  for (const [, key, field] of name.slice(variable.length).matchAll(/\[([^\]]*)\]|\.([^.[]+)/g)) {
    const value = trace.values[position];
    const parts = Array.isArray(value?.[2]) ? value[2] : [];
    const named = parts.find((part) => Array.isArray(part) && part[0] === (key ?? field)) as [string, number] | undefined;
    const next = named?.[1] ?? (typeof parts[Number(key)] === "number" ? (parts[Number(key)] as number) : undefined);
    if (next === undefined) break;
    position = next;
  }
  return trace.differ.text(position);
}

/** The steps that what is read after `last` steps depends on, one through the other; null where nobody can tell. */
export function slice(trace: Trace, names: string[], last: number): Set<number> {
  const found = new Set<number>();
  const needed = new Set(names);
  for (let step = last; step > 0; step--) {
    const written = trace.changes(step).filter((change) => [...needed].some((name) => touches(name, change.name)));
    if (!written.length) continue;
    found.add(step);
    for (const { name, gone: part } of written) {
      const now = trace.values[trace.value(variableOf(trace, name)!, step)];
      if (!part && (now?.[1] === undefined || name !== variableOf(trace, name))) needed.delete(name); // written anew
    }
    for (const name of readBy(trace, step) ?? trace.names) needed.add(name);
  }
  return found;
}
