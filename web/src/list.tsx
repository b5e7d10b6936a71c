import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows of equal height, of which only those in sight exist. The chosen one is kept in sight. */
export function VirtualList({ count, height, chosen, label, row, head, total = count, style = {} }: {
  count: number;
  height: number; // of a row, in rem
  chosen: number;
  label: string;
  row: (index: number) => ComponentChildren;
  head?: ComponentChildren;
  total?: number; // what the rows stand for
  style?: Record<string, string>;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(600);
  const pixels = height * parseFloat(getComputedStyle(document.documentElement).fontSize || "16");
  useLayoutEffect(() => {
    const element = box.current!;
    const seen = new ResizeObserver(() => setRoom(element.clientHeight));
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    const at = chosen * pixels;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + pixels > element.scrollTop + element.clientHeight - (head ? pixels : 0)) element.scrollTop = at + pixels - element.clientHeight + (head ? pixels : 0);
    setTop(element.scrollTop);
  }, [chosen, room, count]);
  const first = Math.max(0, Math.floor(top / pixels) - 5);
  const last = Math.min(count, Math.ceil((top + room) / pixels) + 5);
  const rows = [];
  for (let index = first; index < last; index++) rows.push(row(index));
  return (
    <div class="list" ref={box} role="grid" aria-label={label} aria-rowcount={total} tabIndex={0} style={style} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      {head}
      <div style={{ height: `${first * pixels}px` }} role="presentation" />
      {rows}
      <div style={{ height: `${(count - last) * pixels}px` }} role="presentation" />
    </div>
  );
}
