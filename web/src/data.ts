// What sweepcheck writes into the page: the other side of src/sweepcheck/report/view.py.

export type Value = [text: string] | [text: string, kind: string, parts: (number | [string | number, number])[]];

export interface VerdictData {
  kind: string;
  name: string;
  status: "violated" | "inconclusive" | "holds";
  text: string;
  guarantee?: string;
  reason?: string;
  where?: string;
  looked_at?: [string, string][];
  view?: number;
  holds_by_witness?: boolean;
}

export interface TraceData {
  loop: number | null;
  labels: { text: string; action: string; owner: string | null }[];
  steps: number[];
  columns: Record<string, number[]>; // steps and values, in turn
  holds: Record<string, number[]>;
  progress: number[] | null;
  messages: [sent: number, received: number, channel: string, token: string, certain: number][];
  places?: (string | null)[];
  bad?: number | null;
  enabled?: Record<string, string[]>;
  // Of what was walked through by hand, with values of its own:
  explored?: boolean;
  values?: Value[];
  root?: Record<string, string>;
  offers?: Record<string, { label: string; owner: string | null; where: string | null; changes: string[] }[]>;
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
  report?: ReportData;
}

export interface ReportData {
  strategy: string;
  measure: string | null;
  engine: string;
  complete: boolean;
  stop: string | null;
  regressing: Record<string, number>;
  statistics: Record<string, number | null>;
}

export interface Document {
  view: number;
  runs: RunData[];
}

/** The data in the page; large ones are compressed. */
export async function read(element: HTMLElement): Promise<Document | null> {
  const text = element.textContent ?? "";
  if (element.getAttribute("type") !== "application/gzip") return JSON.parse(text) as Document | null;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as Document;
}
