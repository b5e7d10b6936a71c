import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { goTo, hits, step, theme, trace } from "./state";

export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7a00", "#7a5195"];

/** All steps in one strip: who moved, where properties are false, where the loop is, what the search found. */
export function Overview() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [wide, setWide] = useState(800);
  const now = trace.value!;
  const [at, found] = [step.value, hits.value];
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
    const count = now.length;
    const ink = getComputedStyle(element).color;
    const owners = [...new Set(now.data.labels.map((label) => label.owner ?? label.action))];
    const broad = Math.max(1, wide / count);
    const columns = Math.min(count, Math.floor(wide));
    for (let column = 0; column < columns; column++) {
      const position = Math.floor((column * count) / columns);
      const x = (position * wide) / count;
      if (position > 0) {
        pen.fillStyle = COLOURS[owners.indexOf(now.owner(position) ?? now.action(position)) % COLOURS.length]!;
        pen.fillRect(x, 4, broad, 12);
      }
    }
    if (now.data.invariants?.length) {
      pen.fillStyle = "#1a7f3755";
      pen.fillRect(0, 26, wide, 4);
      pen.fillStyle = "#c62828"; // not by columns: one bad step of very many must be seen
      for (const [first, last] of now.falseFrom()) pen.fillRect(Math.min((first * wide) / count, wide - 3), 20, Math.max(3, ((last - first) * wide) / count), 10);
    }
    if (now.loop !== null) {
      pen.strokeStyle = ink;
      const start = (now.loop * wide) / count;
      for (let x = start; x < wide; x += 6) {
        pen.beginPath();
        pen.moveTo(x, 38);
        pen.lineTo(x + 5, 32);
        pen.stroke();
      }
    }
    pen.fillStyle = ink;
    for (const hit of (found ?? []).slice(0, 2000)) pen.fillRect((hit * wide) / count, 0, 2, 3);
    pen.strokeStyle = ink;
    pen.lineWidth = 2;
    const left = Math.min((at * wide) / count, wide - 5);
    pen.strokeRect(Math.max(1, left), 1, Math.max(Math.min(broad, wide - left) - 2, 3), high - 2);
  });
  const scrub = (event: PointerEvent) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    const box = canvas.current!.getBoundingClientRect();
    goTo(Math.floor(((event.clientX - box.left) / box.width) * now.length));
  };
  return <canvas ref={canvas} class="overview" role="img" aria-label={`overview of ${now.length} states; step ${at} is chosen`} onPointerDown={scrub} onPointerMove={scrub} />;
}
