import { useMemo } from "preact/hooks";
import type { Profile } from "./data";

const WIDTH = 1000;

/** The outline of columns of these heights. */
function area(numbers: number[], height: number, log: boolean): string {
  const scale = (number: number) => (log ? Math.log10(number + 1) : number);
  const top = Math.max(1e-9, ...numbers.map(scale));
  const wide = WIDTH / numbers.length;
  const y = (number: number) => height - 2 - (height - 8) * (scale(number) / top);
  return `M0 ${height}${numbers.map((number, index) => `L${(index * wide).toFixed(2)} ${y(number).toFixed(1)}H${((index + 1) * wide).toFixed(2)}`).join("")}V${height}Z`;
}

const NONE: number[] = [];

/** Stored states over progress, as steps; `marks` are layers that are shown as dots. */
export function Chart({ profile, height, states = false, log = false, at = null, marks = NONE, onPick }: {
  profile: Profile;
  height: number;
  states?: boolean;
  log?: boolean;
  at?: number | null;
  marks?: number[];
  onPick?: (column: number) => void;
}) {
  const numbers = states ? profile.states : profile.stored;
  const wide = WIDTH / numbers.length;
  const path = useMemo(() => area(numbers, height, log), [numbers, height, log]);
  const dots = useMemo(() => marks.map((column) => `M${((column + 0.5) * wide).toFixed(2)} ${height - 6}h0`).join(""), [marks, wide, height]);
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onPick?.(Math.min(numbers.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * numbers.length))));
  };
  return (
    <svg class="chart" role="img" viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" style={{ height: `${height}px` }} onClick={pick}>
      <title>{`${states ? "states" : "stored states"} over progress, at most ${Math.max(...numbers).toLocaleString("en")}`}</title>
      <path class="area" d={path} />
      {at !== null && <rect class="front" x={at * wide} y={0} width={Math.max(wide, 2)} height={height} />}
      {dots && <path class="dot" d={dots} vector-effect="non-scaling-stroke" />}
    </svg>
  );
}
