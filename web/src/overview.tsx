import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { goTo, hits, step, theme, trace } from "./state";
import { along, type Trace } from "./trace";

export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7a00", "#7a5195"];

/** All steps in one strip, or those that the wheel has chosen: who moved, where properties are false, the progress, where the
 *  loop is, what the search found. */
export function Overview() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [wide, setWide] = useState(800);
  const [chosen, setChosen] = useState<[first: number, end: number] | null>(null);
  const now = trace.value!;
  const [at, found] = [step.value, hits.value];
  const [first, end] = chosen && chosen[1] <= now.length ? chosen : [0, now.length];
  const heights = useMemo(() => progressHeights(now), [now]);
  void theme.value;
  useLayoutEffect(() => {
    const seen = new ResizeObserver(() => setWide(canvas.current!.clientWidth));
    seen.observe(canvas.current!);
    return () => seen.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = canvas.current!;
    const ratio = devicePixelRatio || 1;
    const high = 40;
    element.width = wide * ratio;
    element.height = high * ratio;
    const pen = element.getContext("2d")!;
    pen.scale(ratio, ratio);
    const count = end - first;
    const x = (position: number) => ((position - first) * wide) / count;
    const ink = getComputedStyle(element).color;
    const owners = new Map<string, number>();
    for (const label of now.data.labels) if (!owners.has(label.owner ?? label.action)) owners.set(label.owner ?? label.action, owners.size);
    const broad = Math.max(1, wide / count);
    const columns = Math.min(count, Math.floor(wide));
    for (let column = 0; column < columns; column++) {
      const position = first + Math.floor((column * count) / columns);
      if (position > 0) {
        pen.fillStyle = COLOURS[owners.get(now.owner(position) ?? now.action(position))! % COLOURS.length]!;
        pen.fillRect(x(position), 4, broad, 12);
      }
    }
    if (now.data.invariants?.length) {
      pen.fillStyle = "#1a7f3755";
      pen.fillRect(0, 26, wide, 4);
      pen.fillStyle = "#c62828"; // not by columns: one bad step of very many must be seen
      for (const [from, to] of now.falseFrom()) if (to > first && from < end) pen.fillRect(Math.min(x(from), wide - 3), 20, Math.max(3, x(to) - x(from)), 10);
    }
    if (now.loop !== null) {
      pen.strokeStyle = ink;
      for (let left = Math.max(0, x(now.loop)); left < wide; left += 6) {
        pen.beginPath();
        pen.moveTo(left, 38);
        pen.lineTo(left + 5, 32);
        pen.stroke();
      }
    }
    if (heights) {
      pen.strokeStyle = "#7a5195";
      pen.beginPath();
      for (let column = 0; column < columns; column++) {
        const position = first + Math.floor((column * count) / columns);
        pen.lineTo(x(position), 37 - 18 * heights[position]!);
        pen.lineTo(x(position) + broad, 37 - 18 * heights[position]!);
      }
      pen.stroke();
    }
    pen.fillStyle = ink;
    let drawn = -1;
    for (const hit of found ?? []) {
      const left = Math.floor(x(hit));
      if (left > drawn) pen.fillRect(left, 0, 2, 3);
      drawn = Math.max(drawn, left);
    }
    pen.strokeStyle = ink;
    pen.lineWidth = 2;
    const left = Math.min(x(at), wide - 5);
    pen.strokeRect(Math.max(1, left), 1, Math.max(Math.min(broad, wide - left) - 2, 3), high - 2);
  });
  const under = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return first + ((event.clientX - box.left) / box.width) * (end - first);
  };
  const scrub = (event: PointerEvent) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    goTo(Math.floor(under(event)));
  };
  const zoom = (event: WheelEvent) => {
    event.preventDefault();
    const middle = under(event);
    const factor = event.deltaY < 0 ? 0.8 : 1.25;
    const from = Math.max(0, Math.floor(middle - (middle - first) * factor));
    const to = Math.min(now.length, Math.ceil(middle + (end - middle) * factor));
    if (to - from >= 10) setChosen(to - from < now.length ? [from, to] : null);
  };
  return <canvas ref={canvas} class="overview" role="img" title="all steps: who moved, where properties are false, the progress, the loop; drag to go there, the wheel shows fewer, a double click all" aria-label={`overview of ${now.length} states${chosen ? `, from ${first} to ${end - 1}` : ""}; step ${at} is chosen`} onPointerDown={scrub} onPointerMove={scrub} onWheel={zoom} onDblClick={() => setChosen(null)} />;
}

/** The progress of each state, between 0 and 1, where it is a number; null where it never changes or is none. */
function progressHeights(now: Trace): Float64Array | null {
  if (!now.data.progress || now.data.progress.length < 4) return null;
  const found = Float64Array.from(along(now.data.progress, now.length), (value) => Number(now.differ.text(value)));
  let [least, most] = [Infinity, -Infinity];
  for (const one of found) [least, most] = [Math.min(least, one), Math.max(most, one)];
  return Number.isFinite(least) && most > least ? found.map((one) => (one - least) / (most - least)) : null;
}
