// What sweepcheck writes into the page: the other side of src/sweepcheck/report/view.py.

export type Part = number | [key: string | number, value: number, name?: number];
/** Its text; of one that has a kind also that and, where there are any, its parts (of a text: what it is without quotes). */
export type Value = [text: string, kind?: string, parts?: Part[] | string];

export interface VerdictData {
  kind: string;
  name: string;
  status: "violated" | "inconclusive" | "holds";
  text: string;
  guarantee?: string;
  reason?: string;
  where?: string;
  source?: string; // of the predicate
  looked_at?: [string, string][];
  view?: number;
  holds_by_witness?: boolean;
}

export interface LabelData {
  text: string;
  action: string;
  owner: string | null;
  arguments?: [name: string | null, value: number][];
}

export interface TraceData {
  loop: number | null;
  labels: LabelData[];
  steps: number[];
  columns: Record<string, number[]>; // steps and values, in turn
  holds: Record<string, number[]>; // of each property, whether it is true in the state
  invariants?: string[]; // those that must never be false
  propositions?: Record<string, number[]>; // the same of what a formula is made of
  formula?: FormulaPart | null;
  fair?: { name: string; strong: boolean; taken: number[]; disabled: number[] }[] | null; // along the loop
  progress: number[] | null;
  messages: [sent: number, received: number, channel: string, token: string, certain: number][];
  places?: (string | null)[];
  bad?: number | null;
  possible?: [text: string, action: string][];
  enabled?: Record<string, number[]>; // by steps, positions in `possible`
  reads?: { names: string[]; sets: number[][]; steps: number[] } | null; // what each step read
  looked_at?: string[]; // what the property read in the last state
  omitted?: string[]; // what nobody looked for in so long a trace
  // Of what was walked through by hand, with values of its own:
  explored?: boolean;
  values?: Value[];
  root?: Record<string, string>;
  offers?: Record<string, Offer[]>;
  unlisted?: Record<string, [more: number, uncounted: boolean]>; // steps that are possible and not among the offers
  failures?: Record<string, string>; // what the model said where it failed
}

/** A part of a formula: where along the trace it is true if the trace tells, and what the verdict says of positions. */
export interface FormulaPart {
  text: string;
  parts: FormulaPart[];
  along: number[] | null;
  said: [position: number, value: number, forEver: number][];
}

/** A step that can be taken. */
export interface Offer {
  label: string;
  action: string;
  owner: string | null;
  where: string | null;
  arguments: [name: string | null, value: number][];
  changes: string[];
}

export interface Profile {
  of: number;
  wide: number;
  progress: string[];
  states: number[];
  stored: number[];
}

export interface ActionData {
  action: string;
  where: string | null;
  edges: number;
  evaluations: number;
  seconds: number;
  tabulated: boolean;
  observes: string[];
  behaviour?: string | null;
}

export interface NetData {
  drawn: boolean;
  places: { name: string; colour: string; tokens: string; count: number; black: boolean }[]; // tokens at the start
  transitions: { name: string; words: string[] }[];
  arcs: [place: number, transition: number, kind: string, text: string][];
  pages: NetPage[];
}

/** A part of the net that is looked at by itself: a module, or a page of a file. */
export interface NetPage {
  name: string;
  places: number[];
  transitions: number[];
  modules: { name: string; page: number; places: number[] }[]; // what is on other pages
  positions?: Record<string, [x: number, y: number]>; // of nodes, by their ids in the drawing: p0, t3, m1
}

export interface GraphData {
  names: string[];
  states: number[][];
  progress: number[] | null;
  violates: string[][];
  initial: number; // so many states from the first one on
  edges: [source: number, target: number, label: number][];
  labels: string[];
  traces: number[][]; // the states of each trace; -1 where one is not there
}

export interface TradeoffData {
  states: number;
  rows: {
    way: string;
    strategy: string;
    cached: boolean;
    explored: number;
    peak: number;
    bytes: number | null;
    seconds: number;
    by_full: number;
    complete: boolean;
  }[];
}

export interface CellData {
  published: number | string | null;
  measured: number | string | null;
  mark: string | null;
  reason: string | null;
}

export interface TableData {
  paper: number;
  name: string | null;
  title: string;
  models: string;
  columns: { name: string; title: string; form: string }[];
  rows: { labels: Record<string, string>; cells: Record<string, CellData>; left_out: string | null }[];
  note: string | null;
}

export interface RunData {
  reference: string;
  model?: string;
  parameters?: string;
  error?: string;
  verdicts: VerdictData[];
  warnings?: string[];
  stopped?: string | null;
  traces: TraceData[];
  values: Value[];
  profile?: Profile | null;
  actions?: ActionData[];
  net?: NetData | null;
  graph?: GraphData | null;
  report?: ReportData;
}

export interface ReportData {
  strategy: string;
  measure: string | null;
  engine: string;
  equivalence: string | null;
  complete: boolean;
  stop: string | null;
  regressing: Record<string, number>;
  statistics: Record<string, number | null>;
}

export interface Document {
  view: number;
  runs: RunData[];
  tradeoff?: TradeoffData;
  tables?: { tables: TableData[]; unexplained: number; summary: string };
}

/** The data in the page; large ones are compressed. */
export async function read(element: HTMLElement): Promise<Document | null> {
  const text = element.textContent ?? "";
  if (element.getAttribute("type") !== "application/gzip") return JSON.parse(text) as Document | null;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as Document;
}
