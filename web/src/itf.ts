// A trace in the Informal Trace Format, as src/sweepcheck/report/itf.py writes it.
import type { Value } from "./data";
import type { Trace } from "./trace";

const ACTION = "mbt::actionTaken";
const PICKS = "mbt::nondetPicks";
const NONE = { tag: "Null", value: "U_OF_UNIT" };

class Writer {
  private readonly known = new Map<number, unknown>();

  constructor(
    private readonly values: Value[],
    private readonly tagged: boolean,
  ) {}

  value(position: number): unknown {
    if (position < 0) return NONE;
    if (!this.known.has(position)) this.known.set(position, this.written(this.values[position]!));
    return this.known.get(position);
  }

  private written([text, kind, parts]: Value): unknown {
    const all = (numbers: unknown) => (numbers as number[]).map((number) => this.value(number));
    switch (kind) {
      case undefined:
        return this.scalar(text);
      case "str":
        return isWhole(parts as string) ? parts : { "#unserializable": text };
      case "int":
        return /^-?\d+$/.test(text) ? { "#bigint": text } : { "#unserializable": text };
      case "list":
      case "queue":
        return all(parts);
      case "tuple":
        return { "#tup": all(parts) };
      case "set":
        return { "#set": all(parts) };
      case "bag":
        return { "#map": (parts as [number, number][]).map(([token, times]) => [this.value(token), { "#bigint": String(times) }]) };
      case "map":
        return { "#map": (parts as [string, number, number][]).map(([, one, name]) => [this.value(name), this.value(one)]) };
      case "record": {
        const fields = parts as [string, number][];
        if (fields.some(([name]) => name.startsWith("#"))) return { "#unserializable": text };
        const record = Object.fromEntries(fields.map(([name, one]) => [name, this.value(one)]));
        return this.tagged || "tag" in record ? { tag: classOf(text), value: record } : record;
      }
      case "tag": {
        const [tag, one] = (parts as [string, number][])[0]!;
        return { tag, value: ofVariant(this.value(one)) };
      }
      case "token": {
        const [token, time] = (parts as [number, number][])[0]!;
        return { token: this.value(token), time: { "#bigint": String(time) } };
      }
    }
    return { "#unserializable": text };
  }

  private scalar(text: string): unknown {
    if (/^-?\d+$/.test(text)) return { "#bigint": text };
    if (text === "True" || text === "False") return text === "True";
    if (text === "None") return NONE;
    return text.startsWith("'") ? text.slice(1, -1) : { "#unserializable": text };
  }
}

/** What a variant has: readers expect a record or a text there. */
function ofVariant(written: unknown): unknown {
  const plain = typeof written === "object" ? !Array.isArray(written) && !Object.keys(written!).some((name) => name.startsWith("#") || name === "tag") : true;
  return plain ? written : { value: written };
}

/** Whether text is one that every reader takes: half a surrogate pair stands for no character. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Names that begin with # are the format's own. */
function free(name: string): string {
  return name.startsWith("#") ? `_${name}` : name;
}

function classOf(text: string): string {
  return text.slice(0, text.indexOf("("));
}

/** The classes of the records in some values. */
function classes(values: Value[], used: Iterable<number>): Set<string> {
  const seen = new Set<number>();
  const found = new Set<string>();
  const waiting = [...used];
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    const value = values[position];
    if (!value || seen.has(position)) continue;
    seen.add(position);
    const [text, kind, parts] = value;
    if (kind === "record") found.add(classOf(text));
    if (!Array.isArray(parts)) continue;
    for (const part of parts) {
      if (typeof part === "number") waiting.push(part);
      else if (kind === "bag" || kind === "token") waiting.push(part[0] as number);
      else waiting.push(part[1], ...(part[2] === undefined ? [] : [part[2]]));
    }
  }
  return found;
}

export function traceToItf(trace: Trace, source: string, shown: string): unknown {
  const labels = trace.data.labels;
  const named = labels.map((label) => (label.arguments ?? []).map(([name, value], index) => [free(name ?? `choice_${index + 1}`), value] as const));
  const taken = new Set(trace.data.steps);
  const used = [...Object.values(trace.data.columns).flatMap((points) => points.filter((_, index) => index % 2)), ...[...taken].flatMap((number) => named[number]!.map(([, value]) => value))];
  const writer = new Writer(trace.values, classes(trace.values, used).size > 1);
  const states = Array.from({ length: trace.length }, (_, step) => {
    const given = step ? named[trace.data.steps[step - 1]!]! : [];
    return {
      "#meta": { index: step },
      ...Object.fromEntries(trace.names.map((name) => [free(name), writer.value(trace.value(name, step))])),
      [ACTION]: step ? trace.action(step) : "init",
      [PICKS]: Object.fromEntries(given.map(([name, value]) => [name, writer.value(value)])),
    };
  });
  const description = `made by sweepcheck: ${shown}`;
  return {
    "#meta": { format: "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html", source, description },
    params: [],
    vars: [...trace.names.map(free), ACTION, PICKS],
    states,
    ...(trace.loop === null ? {} : { loop: trace.loop === trace.length - 1 ? trace.loop : trace.loop + 1 }),
  };
}
