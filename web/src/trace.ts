// A trace that can be asked: which value at which step, what changed there, what is found by a search.
import type { RunData, TraceData, Value } from "./data";
import { type Change, changeText, Differ } from "./diff";
import { touches } from "./why";

/** The value that change points have at a step. */
export function at(points: number[], step: number): number {
  let low = 0;
  let high = points.length / 2 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (points[2 * middle]! <= step) low = middle;
    else high = middle - 1;
  }
  return points.length === 0 ? -1 : points[2 * low + 1]!;
}

export class Trace {
  readonly names: string[];
  readonly length: number; // number of states
  readonly differ: Differ;
  private readonly changed: string[][]; // the variables that change at each step
  private readonly cache = new Map<number, Change[]>();

  constructor(
    readonly data: TraceData,
    readonly run: RunData,
  ) {
    this.names = Object.keys(data.columns);
    this.length = data.steps.length + 1;
    this.differ = new Differ(this.values);
    this.changed = Array.from({ length: this.length }, () => []);
    for (const [name, points] of Object.entries(data.columns)) {
      for (let index = 2; index < points.length; index += 2) this.changed[points[index]!]!.push(name);
    }
  }

  get values(): Value[] {
    return this.data.values ?? this.run.values;
  }

  value(name: string, step: number): number {
    return at(this.data.columns[name]!, step);
  }

  valueText(name: string, step: number): string {
    return this.differ.text(this.value(name, step));
  }

  label(step: number): string {
    return step === 0 ? "initial state" : this.data.labels[this.data.steps[step - 1]!]!.text;
  }

  action(step: number): string {
    return step === 0 ? "" : this.data.labels[this.data.steps[step - 1]!]!.action;
  }

  owner(step: number): string | null {
    return step === 0 ? null : this.data.labels[this.data.steps[step - 1]!]!.owner;
  }

  where(step: number): string | null {
    return step === 0 ? null : (this.data.places?.[this.data.steps[step - 1]!] ?? null);
  }

  changedNames(step: number): string[] {
    return this.changed[step] ?? [];
  }

  changes(step: number): Change[] {
    let found = this.cache.get(step);
    if (!found) {
      found = step === 0 ? [] : this.between(step - 1, step, this.changedNames(step));
      if (this.cache.size > 5000) this.cache.clear();
      this.cache.set(step, found);
    }
    return found;
  }

  /** What differs between two steps, of some variables. */
  between(before: number, after: number, names: string[] = this.names): Change[] {
    return names.flatMap((name) => this.differ.changes(name, this.value(name, before), this.value(name, after)));
  }

  holds(property: string, step: number): boolean | null {
    const points = this.data.holds[property];
    return points ? at(points, step) === 1 : null;
  }

  /** The invariants that are false in a state. */
  broken(step: number): string[] {
    return (this.data.invariants ?? []).filter((name) => this.holds(name, step) === false);
  }

  /** From which step on an invariant is false, and the step at which it is true again. */
  falseFrom(): [first: number, end: number][] {
    return (this.data.invariants ?? []).flatMap((name) => {
      const points = this.data.holds[name] ?? [];
      const starts = points.map((_, index) => index).filter((index) => index % 2 === 0 && points[index + 1] === 0);
      return starts.map((index): [number, number] => [points[index]!, points[index + 2] ?? this.length]);
    });
  }

  progress(step: number): string | null {
    return this.data.progress ? this.differ.text(at(this.data.progress, step)) : null;
  }

  /** What was possible in a state: labels with their actions; null where nobody has looked. */
  enabled(step: number): { text: string; action: string }[] | null {
    const numbers = this.data.enabled?.[String(step)];
    return numbers ? numbers.map((number) => ({ text: this.data.possible![number]![0], action: this.data.possible![number]![1] })) : null;
  }

  get loop(): number | null {
    return this.data.loop;
  }

  /** The state where the trace is looked at first: where its property became false, else its end. */
  get start(): number {
    return this.data.bad ?? this.length - 1;
  }

  inLoop(step: number): boolean {
    return this.loop !== null && step > this.loop;
  }

  /** What comes after the last step of a run without end. */
  private afterwards(step: number): string {
    if (this.loop === null || step < this.length - 1) return "";
    return this.loop === step ? "; nothing is possible after it, so this state lasts for ever" : `; then it goes on as after step ${this.loop}, for ever`;
  }

  /** One sentence about a step: what it changed, and which property is false since then. */
  sentence(step: number): string {
    if (step === 0) return "The initial state.";
    const names = this.changes(step).map((change) => change.name);
    const shown = names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
    const became = this.broken(step).filter((name) => this.holds(name, step - 1));
    const end = became.length ? `; ${became.map((name) => `“${name}”`).join(" and ")} ${became.length > 1 ? "are" : "is"} false since then` : "";
    return `Step ${step}, ${this.label(step)}, changed ${shown || "nothing"}${end}${this.afterwards(step)}.`;
  }
}

/** The steps that a search finds; words are joined by "and". `null`: nothing is searched for. */
export function search(trace: Trace, query: string): number[] | null {
  const tests = (query.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => test(trace, word.replaceAll('"', "")));
  if (tests.length === 0) return null;
  const found: number[] = [];
  for (let step = 0; step < trace.length; step++) if (tests.every((matches) => matches(step))) found.push(step);
  return found;
}

function test(trace: Trace, word: string): (step: number) => boolean {
  const [, kind, rest] = /^(action|changes|false|step):(.*)$/.exec(word) ?? [];
  if (kind === "action") return (step) => trace.action(step) === rest;
  if (kind === "changes") return (step) => trace.changes(step).some((change) => touches(change.name, rest!));
  if (kind === "false") return (step) => trace.holds(rest!, step) === false;
  if (kind === "step") {
    const [first, last] = rest!.split("-").map(Number);
    return (step) => step >= first! && step <= (last ?? first!);
  }
  const equal = /^([^=]+)=(.*)$/.exec(word);
  if (equal && trace.names.includes(equal[1]!)) {
    const wanted = equal[2]!;
    return (step) => {
      const text = trace.valueText(equal[1]!, step);
      return text === wanted || text === `'${wanted}'`;
    };
  }
  return containing(trace, word.toLowerCase());
}

/** The steps in whose label or changes a word is. The same values change into each other again and again, and of plain ones
 *  nothing has to be compared: a word without spaces is in the name or in one of the values. */
function containing(trace: Trace, word: string): (step: number) => boolean {
  const has = (text: string) => text.toLowerCase().includes(word);
  const labels = trace.data.labels.map((label) => has(label.text));
  const values = new Map<number, boolean>();
  const pairs = new Map<string, boolean>();
  const within = (position: number) => {
    let found = values.get(position);
    if (found === undefined) values.set(position, (found = has(trace.differ.text(position))));
    return found;
  };
  const plain = (position: number) => trace.values[position]?.length === 1;
  const changed = (name: string, step: number) => {
    const [was, now] = [trace.value(name, step - 1), trace.value(name, step)];
    if (plain(was) && plain(now) && !word.includes("→")) return has(`${name}:`) || within(was) || within(now);
    const key = `${was} ${now} ${name}`;
    let found = pairs.get(key);
    if (found === undefined) pairs.set(key, (found = trace.differ.changes(name, was, now).some((change) => has(changeText(change)))));
    return found;
  };
  return (step) => (step === 0 ? has(trace.label(0)) : labels[trace.data.steps[step - 1]!]!) || trace.changedNames(step).some((name) => changed(name, step));
}
