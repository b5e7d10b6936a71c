// What changed between two values: of records the fields, of arrays the elements, of bags, queues and sets what came and went.
import type { Value } from "./data";

export interface Change {
  name: string;
  old: string | null; // null: not there
  now: string | null;
  gone?: string[]; // of bags, queues and sets, in the place of old and now
  came?: string[];
}

const ABSENT = -1;
const LONG_TOKEN = 8; // characters: of a short one that there is more than once, the numbers before and after are told
const SHORT = 40; // characters of both values: so short ones are shown whole

export class Differ {
  constructor(private readonly values: Value[]) {}

  text(position: number): string {
    return position === ABSENT ? "absent" : this.values[position]![0];
  }

  /** All that differs between two values of a variable. */
  changes(name: string, old: number, now: number): Change[] {
    if (old === now) return [];
    const one = this.values[old];
    const other = this.values[now];
    const whole = [{ name, old: one ? one[0] : null, now: other ? other[0] : null }];
    if (!one || !other || !one[1] || one[1] !== other[1]) return whole;
    const [was, is] = [one[2], other[2]];
    if (!Array.isArray(was) || !Array.isArray(is)) return whole;
    switch (one[1]) {
      case "list":
        if (was.length !== is.length) return whole;
        return was.flatMap((part, index) => this.changes(`${name}[${index}]`, part as number, is[index] as number));
      case "record":
      case "map": {
        const [before, after] = [was as [string, number, number?][], is as [string, number, number?][]];
        if (before.length !== after.length || before.some(([key], index) => key !== after[index]![0])) return whole;
        const named = (key: string) => (one[1] === "record" ? `${name}.${key}` : `${name}[${key}]`);
        return before.flatMap(([key, part], index) => this.changes(named(key), part, after[index]![1]));
      }
      case "bag":
        return this.exchange(name, one, other, count(was as [number, number][]), count(is as [number, number][]));
      case "set":
        return this.exchange(name, one, other, count(pairs(was)), count(pairs(is)));
      case "queue":
        return this.queues(name, one, other, was as number[], is as number[]);
      case "tuple": {
        const differing = was.filter((part, index) => part !== is[index]).length;
        if (one[0].length + other[0].length <= SHORT) return whole;
        if (was.length !== is.length || 2 * differing > was.length) {
          const found = this.queues(name, one, other, was as number[], is as number[]);
          return was.length && found[0]!.gone?.length === was.length ? whole : found; // nothing of it is left
        }
        return was.flatMap((part, index) => this.changes(`${name}[${index}]`, part as number, is[index] as number));
      }
    }
    return whole;
  }

  private exchange(name: string, one: Value, other: Value, was: Map<number, number>, is: Map<number, number>): Change[] {
    const change = { name, old: one[0], now: other[0] };
    const bag = one[1] === "bag";
    const [only] = was.keys();
    const counted = bag && was.size === 1 && is.size === 1 && is.has(only!) && this.text(only!).length >= LONG_TOKEN;
    if (!counted && was.size <= 1 && is.size <= 1 && one[0].length + other[0].length <= SHORT) return [change];
    return [{ ...change, gone: this.fewer(was, is, bag), came: this.fewer(is, was, bag) }];
  }

  private fewer(one: Map<number, number>, other: Map<number, number>, bag: boolean): string[] {
    const found: string[] = [];
    for (const [token, times] of one) {
      const left = times - (other.get(token) ?? 0);
      if (left > 0) found.push(left > 1 || (bag && /^-?[\d.]+$/.test(this.text(token))) ? `${left}*${this.text(token)}` : this.text(token));
    }
    return found;
  }

  private queues(name: string, one: Value, other: Value, was: number[], is: number[]): Change[] {
    const change = { name, old: one[0], now: other[0] };
    if (was.length <= 1 && is.length <= 1 && one[0].length + other[0].length <= SHORT) return [change];
    const texts = (parts: number[]) => parts.map((part) => this.text(part));
    for (let taken = 0; taken <= was.length; taken++) {
      const kept = was.length - taken;
      if (kept > is.length || (kept === 0 && is.length > 0 && taken > 0)) continue;
      if (was.slice(taken).every((part, index) => part === is[index])) {
        return [{ ...change, gone: texts(was.slice(0, taken)), came: texts(is.slice(kept)) }];
      }
    }
    const left: number[] = []; // in the midst
    let kept = 0;
    for (const part of was) if (kept < is.length && part === is[kept]) kept++; else left.push(part);
    const came = is.slice(kept);
    return left.some((part) => came.includes(part)) ? [change] : [{ ...change, gone: texts(left), came: texts(came) }];
  }
}

/** What is in a bag, set or queue, and how often; null of anything else. */
export function contents(value: Value | undefined): Map<number, number> | null {
  const parts = value?.[2];
  if (!Array.isArray(parts)) return null;
  if (value![1] === "bag") return count(parts as [number, number][]);
  if (value![1] !== "set" && value![1] !== "queue") return null;
  const found = new Map<number, number>();
  for (const part of parts as number[]) found.set(part, (found.get(part) ?? 0) + 1);
  return found;
}

function pairs(parts: unknown[]): [number, number][] {
  return (parts as number[]).map((part) => [part, 1]);
}

function count(parts: [number, number][]): Map<number, number> {
  return new Map(parts);
}

/** A change on one line, as the command line prints it. */
export function changeText(change: Change): string {
  if (change.gone && change.came) {
    const signed = [...change.gone.map((token) => `- ${token}`), ...change.came.map((token) => `+ ${token}`)];
    return `${change.name}: ${signed.join(" ")}`;
  }
  return `${change.name}: ${change.old ?? "absent"} → ${change.now ?? "absent"}`;
}

const TOGETHER = 4; // elements of an array that change alike: as many or more are told together
const MANY = 8; // elements of an array that change, each in its own way: likewise
const AGAIN = 4; // so many equal ones after another, or more, are counted
const EVENLY = 4; // numbers at the same distance: as many or more are told by the first two and the last

/** Changes as texts; many elements of an array that change together, as the command line does. */
export function told(changed: Change[]): string[] {
  const alike = grouped(changed, (change) => [...array(change), change.old, change.now]);
  const found = alike.flatMap((some) => (some.length < TOGETHER ? some : [asOne(some)]));
  return grouped(found, array)
    .flatMap((some) => (some.length < MANY ? some : [asOne(some)]))
    .map(changeText);
}

/** Changes that have the same key, which only those of elements of arrays can have. */
function grouped(changed: Change[], key: (change: Change) => unknown[]): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of changed) {
    const likeness = array(change).length ? JSON.stringify(key(change)) : change.name;
    groups.get(likeness)?.push(change) ?? groups.set(likeness, [change]);
  }
  return [...groups.values()];
}

/** Of an element whose value is replaced, what stands before and after its last number. */
function array(change: Change): string[] {
  const [, before, , after] = (change.gone ? null : NUMBERED.exec(change.name)) ?? [];
  return before === undefined ? [] : [before, after!];
}

/** Changes of elements of one array as a change of these. */
function asOne(changed: Change[]): Change {
  const number = (change: Change) => Number(NUMBERED.exec(change.name)![2]);
  const some = [...changed].sort((one, other) => number(one) - number(other));
  const [before, after] = array(some[0]!);
  const name = `${before}[${listed(some.map(number))}]${after}`;
  if (some.every((change) => change.old === some[0]!.old && change.now === some[0]!.now)) return { ...some[0]!, name };
  const texts = (side: "old" | "now") => `[${counted(some.map((change) => change[side] ?? "absent"))}]`;
  return { name, old: texts("old"), now: texts("now") };
}

const NUMBERED = /^(.*)\[(\d+)\](.*?)$/s; // of an element, by its last number

function counted(texts: string[]): string {
  const found: string[] = [];
  for (let start = 0, end = 0; start < texts.length; start = end) {
    while (end < texts.length && texts[end] === texts[start]) end++;
    if (end - start >= AGAIN) found.push(`${texts[start]} x ${end - start}`);
    else found.push(...texts.slice(start, end));
  }
  return found.join(", ");
}

/** Numbers that rise, `0..3, 7, 9`, `2, 4 .. 46`. */
function listed(numbers: number[]): string {
  const found: string[] = [];
  for (let start = 0; start < numbers.length; ) {
    const distance = numbers[start + 1]! - numbers[start]!;
    let even = 1;
    while (start + even < numbers.length && numbers[start + even]! - numbers[start + even - 1]! === distance) even++;
    const [first, last] = [numbers[start], numbers[start + even - 1]];
    if (even > 2 && distance === 1) found.push(`${first}..${last}`);
    else if (even >= EVENLY) found.push(`${first}, ${numbers[start + 1]} .. ${last}`);
    else even = found.push(String(first)) && 1;
    start += even;
  }
  return found.join(", ");
}
