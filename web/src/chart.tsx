import type { Profile } from "./data";

const WIDTH = 1000;

/** Stored states over progress, as steps; `marks` are layers that are shown as dots. */
export function Chart({ profile, height, states = false, log = false, at = null, marks = [], onPick }: {
  profile: Profile;
  height: number;
  states?: boolean;
  log?: boolean;
  at?: number | null;
  marks?: number[];
  onPick?: (column: number) => void;
}) {
  const numbers = states ? profile.states : profile.stored;
  const scale = (number: number) => (log ? Math.log10(number + 1) : number);
  const top = Math.max(1e-9, ...numbers.map(scale));
  const wide = WIDTH / numbers.length;
  const y = (number: number) => height - 2 - (height - 8) * (scale(number) / top);
  let path = `M0 ${height}`;
  numbers.forEach((number, index) => (path += `L${(index * wide).toFixed(2)} ${y(number).toFixed(1)}H${((index + 1) * wide).toFixed(2)}`));
  path += `V${height}Z`;
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onPick?.(Math.min(numbers.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * numbers.length))));
  };
  return (
    <svg class="chart" role="img" viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" style={{ height: `${height}px` }} onClick={pick}>
      <title>{`${states ? "states" : "stored states"} over progress, at most ${Math.max(...numbers).toLocaleString("en")}`}</title>
      <path class="area" d={path} />
      {at !== null && <rect class="front" x={at * wide} y={0} width={Math.max(wide, 2)} height={height} />}
      {marks.map((column) => <circle class="dot" cx={(column + 0.5) * wide} cy={height - 6} r={3} />)}
    </svg>
  );
}
