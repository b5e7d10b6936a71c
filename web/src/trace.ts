// A trace that can be asked: which value at which step, what changed there, what is found by a search.
import type { LabelData, RunData, TraceData, Value } from "./data";
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

/** The value that change points have at each step. */
export function along(points: number[], length: number): Int32Array {
  const found = new Int32Array(length).fill(-1);
  for (let index = 0; index < points.length; index += 2) found.fill(points[index + 1]!, points[index]!, points[index + 2] ?? length);
  return found;
}

export class Trace {
  readonly names: string[];
  readonly length: number; // number of states
  readonly differ: Differ;
  private readonly starts: Int32Array; // of each step, where its variables begin in the next one
  private readonly changed: Int32Array; // the variables that change, step after step
  private readonly cache = new Map<number, Change[]>();

  constructor(
    readonly data: TraceData,
    readonly run: RunData,
  ) {
    this.names = Object.keys(data.columns);
    this.length = data.steps.length + 1;
    this.differ = new Differ(this.values);
    this.starts = new Int32Array(this.length + 1);
    const columns = Object.values(data.columns);
    for (const points of columns) for (let index = 2; index < points.length; index += 2) this.starts[points[index]! + 1]!++;
    for (let step = 0; step < this.length; step++) this.starts[step + 1]! += this.starts[step]!;
    this.changed = new Int32Array(this.starts[this.length]!);
    const filled = this.starts.slice();
    columns.forEach((points, name) => {
      for (let index = 2; index < points.length; index += 2) this.changed[filled[points[index]!]!++] = name;
    });
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
    const found: string[] = [];
    for (let index = this.starts[step] ?? 0; index < (this.starts[step + 1] ?? 0); index++) found.push(this.names[this.changed[index]!]!);
    return found;
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

/** What an action is called that a label may belong to: the label itself, and with fewer of its last parameters and choices. */
export function memberNames({ text, action }: { text: string; action: string }): string[] {
  const names = [text];
  for (let comma = text.lastIndexOf(", "); comma > action.length; comma = text.lastIndexOf(", ", comma - 1)) names.push(`${text.slice(0, comma)})`);
  return [...names, action];
}

/** The steps that a search finds; words are joined by "and". `null`: nothing is searched for. */
export function search(trace: Trace, query: string): number[] | null {
  const words = query.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  if (words.length === 0) return null;
  const tests = words.map((word) => matching(trace, word.replaceAll('"', "")));
  const found: number[] = [];
  for (let step = 0; step < trace.length; step++) if (tests.every((fits) => fits[step])) found.push(step);
  return found;
}

/** For each step, whether it is what a word looks for. Variables are gone through change by change: most steps leave most of them alone. */
function matching(trace: Trace, word: string): Uint8Array {
  const fits = new Uint8Array(trace.length);
  const [, kind, rest = ""] = /^(action|changes|false|step):(.*)$/.exec(word) ?? [];
  if (kind === "action") markLabels(trace, fits, (label) => memberNames(label).includes(rest));
  else if (kind === "changes") markChanges(trace, fits, rest);
  else if (kind === "false") along(trace.data.holds[rest] ?? [], trace.length).forEach((truth, step) => (fits[step] = Number(truth === 0)));
  else if (kind === "step") {
    const [first, last] = rest.split("-").map(Number);
    fits.fill(1, first, (last ?? first!) + 1);
  } else {
    const equal = /^([^=]+)=(.*)$/.exec(word);
    if (equal && trace.names.includes(equal[1]!)) {
      const is = known((text) => text === equal[2] || text === `'${equal[2]}'`, trace);
      along(trace.data.columns[equal[1]!]!, trace.length).forEach((value, step) => (fits[step] = Number(is(value))));
    } else markContaining(trace, fits, word.toLowerCase());
  }
  return fits;
}

/** Whether the text of a value fits; each value is looked at once. */
function known(fits: (text: string) => boolean, trace: Trace): (value: number) => boolean {
  const found = new Map<number, boolean>();
  return (value) => {
    let fitting = found.get(value);
    if (fitting === undefined) found.set(value, (fitting = fits(trace.differ.text(value))));
    return fitting;
  };
}

function markLabels(trace: Trace, fits: Uint8Array, wanted: (label: LabelData) => boolean): void {
  const labels = trace.data.labels.map(wanted);
  trace.data.steps.forEach((label, index) => labels[label] && (fits[index + 1] = 1));
}

/** The steps that change a variable or a part of it. */
function markChanges(trace: Trace, fits: Uint8Array, wanted: string): void {
  for (const [name, points] of Object.entries(trace.data.columns)) {
    if (!touches(name, wanted)) continue;
    for (let index = 2; index < points.length; index += 2) {
      const [was, now] = [points[index - 1]!, points[index + 1]!];
      if (name.length >= wanted.length || trace.differ.changes(name, was, now).some((change) => touches(change.name, wanted))) fits[points[index]!] = 1;
    }
  }
}

/** The steps in whose label or changes a word is. The same values change into each other again and again, and of plain ones
 *  nothing has to be compared: a word without spaces is in the name or in one of the values. */
function markContaining(trace: Trace, fits: Uint8Array, word: string): void {
  const has = (text: string) => text.toLowerCase().includes(word);
  const within = known(has, trace);
  const plain = (position: number) => trace.values[position]?.length === 1;
  if (has(trace.label(0))) fits[0] = 1;
  markLabels(trace, fits, (label) => has(label.text));
  for (const [name, points] of Object.entries(trace.data.columns)) {
    const named = has(`${name}:`);
    const pairs = new Map<string, boolean>();
    for (let index = 2; index < points.length; index += 2) {
      const [step, was, now] = [points[index]!, points[index - 1]!, points[index + 1]!];
      if (fits[step]) continue;
      let found = named;
      if (!found && plain(was) && plain(now) && !word.includes("→")) found = within(was) || within(now);
      else if (!found) {
        const pair = `${was} ${now}`;
        found = pairs.get(pair) ?? trace.differ.changes(name, was, now).some((change) => has(changeText(change)));
        pairs.set(pair, found);
      }
      if (found) fits[step] = 1;
    }
  }
}
