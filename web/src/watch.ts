// Expressions over the variables of a state, as the command line knows them: a part of Python, without any code that runs.
import type { Trace } from "./trace";

type Found = bigint | number | string | boolean | null | { at: number }; // `at`: a value with parts, by its position
type Expression = (step: number) => Found;

const TOKENS = /\s*(?:(\d+\.\d+|\d+)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([\p{L}_][\p{L}\p{N}_]*)|(\/\/|==|!=|<=|>=|[-+*%<>()[\].,]))/uy;
const FUNCTIONS = ["len", "sum", "min", "max", "abs"];

export class WatchError extends Error {}

/** The value of an expression at a step, as text. An expression that cannot be read or evaluated says why. */
export function watched(trace: Trace, text: string): (step: number) => string {
  const values = new Evaluation(trace);
  try {
    const meaning = new Parser(text, values).whole();
    return (step) => {
      try {
        return values.text(meaning(step));
      } catch (problem) {
        return problem instanceof WatchError ? `(${problem.message})` : "(cannot be evaluated)";
      }
    };
  } catch (problem) {
    const why = problem instanceof WatchError ? problem.message : "cannot be read";
    return () => `(${why})`;
  }
}

class Evaluation {
  constructor(readonly trace: Trace) {}

  /** A value as something to compute with. */
  of(position: number): Found {
    const value = this.trace.values[position];
    if (!value) throw new WatchError("not there");
    const text = value[0];
    if (value[1] === "str") return value[2] as string;
    if (value[1] === "int") return BigInt(text);
    if (value[1]) return { at: position };
    if (/^-?\d+$/.test(text)) return BigInt(text);
    if (text === "True" || text === "False") return text === "True";
    if (text === "None") return null;
    return text.startsWith("'") ? text.slice(1, -1) : Number(text);
  }

  text(found: Found): string {
    if (found === null) return "None";
    if (typeof found === "boolean") return found ? "True" : "False";
    if (typeof found === "object") return this.trace.values[found.at]![0];
    return typeof found === "string" ? `'${found}'` : String(found);
  }

  /** The elements of what has some: of a bag each token as often as it is there, of a map its keys. */
  elements(found: Found): Found[] {
    if (typeof found === "string") return [...found];
    const [, kind, parts] = this.parts(found);
    if (kind === "bag") return (parts as [number, number][]).flatMap(([token, times]) => Array<Found>(times).fill(this.of(token)));
    if (kind === "map") return (parts as [string, number, number][]).map(([, , name]) => this.of(name));
    if (kind === "record") throw new WatchError("a record has fields, no elements");
    return (parts as number[]).map((part) => this.of(part));
  }

  length(found: Found): bigint {
    if (typeof found === "object" && found && this.parts(found)[1] === "bag") {
      return BigInt((this.parts(found)[2] as [number, number][]).reduce((sum, [, times]) => sum + times, 0));
    }
    return BigInt(this.elements(found).length);
  }

  element(found: Found, key: Found): Found {
    if (typeof found === "object" && found && this.parts(found)[1] === "map") {
      const pair = (this.parts(found)[2] as [string, number, number][]).find(([, , name]) => equal(this.of(name), key));
      if (!pair) throw new WatchError(`there is no key ${this.text(key)}`);
      return this.of(pair[1]);
    }
    const all = this.elements(found);
    const index = typeof key === "bigint" ? Number(key) : NaN;
    const at = index < 0 ? index + all.length : index;
    if (!(at in all)) throw new WatchError(`there is no element ${this.text(key)}`);
    return all[at]!;
  }

  field(found: Found, name: string): Found {
    const [, kind, parts] = this.parts(found);
    const pair = kind === "record" ? (parts as [string, number][]).find(([field]) => field === name) : undefined;
    if (!pair) throw new WatchError(`there is no field ${name}`);
    return this.of(pair[1]);
  }

  private parts(found: Found): [string, string, unknown[]] {
    const value = typeof found === "object" && found ? this.trace.values[found.at] : undefined;
    if (!value || !Array.isArray(value[2])) throw new WatchError(`${this.text(found)} has no parts`);
    return [value[0], value[1]!, value[2]];
  }
}

function equal(one: Found, other: Found): boolean {
  if (isNumber(one) && isNumber(other)) return one == other; // eslint-disable-line eqeqeq -- 1 and 1.0 are equal
  if (typeof one === "object" && one && typeof other === "object" && other) return one.at === other.at;
  return one === other;
}

function isNumber(found: Found): found is bigint | number {
  return typeof found === "bigint" || typeof found === "number";
}

function truth(found: Found): boolean {
  if (typeof found === "object" && found) throw new WatchError("say what of it is to be true: len(x) > 0");
  return Boolean(found);
}

function arithmetic(sign: string, one: Found, other: Found): Found {
  if (sign === "+" && typeof one === "string" && typeof other === "string") return one + other;
  if (!isNumber(one) || !isNumber(other)) throw new WatchError(`${sign} needs numbers`);
  if ((sign === "//" || sign === "%") && Number(other) === 0) throw new WatchError("division by zero");
  if (typeof one === "bigint" && typeof other === "bigint") {
    const rest = ((one % (other || 1n)) + other) % (other || 1n); // as Python has it, with the sign of the divisor
    return sign === "+" ? one + other : sign === "-" ? one - other : sign === "*" ? one * other : sign === "%" ? rest : (one - rest) / other;
  }
  const [left, right] = [Number(one), Number(other)];
  return sign === "+" ? left + right : sign === "-" ? left - right : sign === "*" ? left * right : sign === "//" ? Math.floor(left / right) : left - right * Math.floor(left / right);
}

function ordered(sign: string, one: Found, other: Found): boolean {
  if (!(isNumber(one) && isNumber(other)) && !(typeof one === "string" && typeof other === "string")) throw new WatchError(`${sign} needs two numbers or two texts`);
  return sign === "<" ? one < other : sign === "<=" ? one <= other : sign === ">" ? one > other : one >= other;
}

class Parser {
  private readonly words: { kind: "number" | "text" | "name" | "sign"; text: string }[] = [];
  private at = 0;

  constructor(text: string, private readonly values: Evaluation) {
    const length = text.trimEnd().length;
    TOKENS.lastIndex = 0;
    while (TOKENS.lastIndex < length) {
      const start = TOKENS.lastIndex;
      const found = TOKENS.exec(text);
      if (!found) throw new WatchError(`cannot read ${text.slice(start).trim().slice(0, 20)}`);
      const kind = found[1] ? "number" : found[2] ? "text" : found[3] ? "name" : "sign";
      this.words.push({ kind, text: (found[1] ?? found[2] ?? found[3] ?? found[4])! });
    }
  }

  whole(): Expression {
    const meaning = this.either();
    if (this.at < this.words.length) throw new WatchError(`${this.words[this.at]!.text} is not expected`);
    return meaning;
  }

  private take(...texts: string[]): string | null {
    const next = this.words[this.at];
    if (!next || next.kind === "text" || !texts.includes(next.text)) return null;
    this.at++;
    return next.text;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw new WatchError(`${text} is missing`);
  }

  private either(): Expression {
    let left = this.both();
    while (this.take("or")) {
      const [one, other] = [left, this.both()];
      left = (step) => (truth(one(step)) ? one(step) : other(step));
    }
    return left;
  }

  private both(): Expression {
    let left = this.negated();
    while (this.take("and")) {
      const [one, other] = [left, this.negated()];
      left = (step) => (truth(one(step)) ? other(step) : one(step));
    }
    return left;
  }

  private negated(): Expression {
    if (!this.take("not")) return this.compared();
    const one = this.negated();
    return (step) => !truth(one(step));
  }

  /** Comparisons, also chained: 0 < x < 3. */
  private compared(): Expression {
    const sides = [this.sum()];
    const signs: string[] = [];
    for (let sign = this.comparison(); sign; sign = this.comparison()) {
      signs.push(sign);
      sides.push(this.sum());
    }
    if (!signs.length) return sides[0]!;
    return (step) => signs.every((sign, index) => this.holds(sign, sides[index]!(step), sides[index + 1]!(step)));
  }

  private comparison(): string | null {
    if (this.words[this.at]?.text === "not" && this.words[this.at + 1]?.text === "in") {
      this.at += 2;
      return "not in";
    }
    return this.take("==", "!=", "<=", ">=", "<", ">", "in");
  }

  private holds(sign: string, one: Found, other: Found): boolean {
    if (sign === "==" || sign === "!=") return equal(one, other) === (sign === "==");
    if (sign.endsWith("in")) {
      const inside = typeof one === "string" && typeof other === "string" ? other.includes(one) : this.values.elements(other).some((element) => equal(element, one));
      return inside === (sign === "in");
    }
    return ordered(sign, one, other);
  }

  private sum(): Expression {
    return this.chain(() => this.product(), "+", "-");
  }

  private product(): Expression {
    return this.chain(() => this.signed(), "*", "//", "%");
  }

  private chain(next: () => Expression, ...signs: string[]): Expression {
    let left = next();
    for (let sign = this.take(...signs); sign; sign = this.take(...signs)) {
      const [one, other, between] = [left, next(), sign];
      left = (step) => arithmetic(between, one(step), other(step));
    }
    return left;
  }

  private signed(): Expression {
    if (!this.take("-")) return this.part();
    const one = this.signed();
    return (step) => arithmetic("-", 0n, one(step));
  }

  private part(): Expression {
    let whole = this.atom();
    for (;;) {
      if (this.take("[")) {
        const [of, key] = [whole, this.either()];
        this.expect("]");
        whole = (step) => this.values.element(of(step), key(step));
      } else if (this.take(".")) {
        const [of, name] = [whole, this.words[this.at++]?.text ?? ""];
        whole = (step) => this.values.field(of(step), name);
      } else return whole;
    }
  }

  private atom(): Expression {
    if (this.take("(")) {
      const inner = this.either();
      this.expect(")");
      return inner;
    }
    const word = this.words[this.at++];
    if (!word || word.kind === "sign") throw new WatchError(word ? `${word.text} is not expected` : "something is missing at the end");
    if (word.kind === "number") return constant(word.text.includes(".") ? Number(word.text) : BigInt(word.text));
    if (word.kind === "text") return constant(word.text.slice(1, -1).replace(/\\(.)/g, "$1"));
    if (word.text in CONSTANTS) return constant(CONSTANTS[word.text]!);
    if (FUNCTIONS.includes(word.text) && this.take("(")) return this.call(word.text);
    return this.variable(word.text);
  }

  private call(name: string): Expression {
    const given = [this.either()];
    while (this.take(",")) given.push(this.either());
    this.expect(")");
    return (step) => this.called(name, given.map((one) => one(step)));
  }

  private called(name: string, given: Found[]): Found {
    if (name === "len") return this.values.length(given[0]!);
    if (name === "abs") return ordered("<", given[0]!, 0n) ? arithmetic("-", 0n, given[0]!) : given[0]!;
    const all = given.length > 1 ? given : this.values.elements(given[0]!);
    if (name === "sum") return all.reduce((one, other) => arithmetic("+", one, other), 0n as Found);
    if (!all.length) throw new WatchError(`${name} of nothing`);
    return all.reduce((one, other) => (ordered(name === "min" ? "<" : ">", other, one) ? other : one));
  }

  /** Names of variables may have dots: places of modules. */
  private variable(first: string): Expression {
    const names = this.values.trace.data.columns;
    let [name, end] = [first, this.at];
    for (let next = this.at; this.words[next]?.text === "." && this.words[next + 1]?.kind === "name"; next += 2) {
      const longer = `${name}.${this.words[next + 1]!.text}`;
      if (!Object.keys(names).some((one) => one === longer || one.startsWith(`${longer}.`))) break;
      [name, end] = [longer, next + 2];
    }
    if (!Object.hasOwn(names, name)) throw new WatchError(`there is no variable ${name}`);
    this.at = end;
    return (step) => this.values.of(this.values.trace.value(name, step));
  }
}

const CONSTANTS: Record<string, Found> = Object.assign(Object.create(null) as Record<string, Found>, { True: true, False: false, None: null });

function constant(value: Found): Expression {
  return () => value;
}
