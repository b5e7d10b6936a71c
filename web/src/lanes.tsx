// A chart of the trace: a line for each owner of steps, dots for what they do, arrows for what they send.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { goTo, step, trace } from "./state";
import { COLOURS } from "./overview";
import { Transport } from "./transport";

const ROW = 32;
const ABOVE = -6; // where the label of an event stands, beside the arrows that come and go
const BELOW = 14;
const LANE = 170;
const NOBODY = "model";

/** Members of a family by their numbers, others as they come. */
function inOrder(owners: string[]): string[] {
  const families = new Set(owners.map((name) => /^(.*?)\d+$/.exec(name)?.[1]));
  return families.size === 1 && !families.has(undefined) ? owners.sort((one, other) => one.localeCompare(other, "en", { numeric: true })) : owners;
}

/** What a step is called on the lane of its owner. */
function onLane(label: string, owner: string): string {
  return label.startsWith(`${owner}.`) ? label.slice(owner.length + 1) : label;
}

export function LanesTab() {
  const now = trace.value!;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [hiddenLanes, setHiddenLanes] = useState<ReadonlySet<string>>(new Set());
  const [idle, setIdle] = useState(false);
  const [arrows, setArrows] = useState(true);
  const [only, setOnly] = useState<string | null>(null); // the lane that the others are dimmed for
  const owner = (position: number) => now.owner(position) ?? NOBODY;
  const all = useMemo(() => inOrder([...new Set([...new Set(now.data.steps)].map((label) => now.data.labels[label]!.owner ?? NOBODY))]), [now]);
  const active = new Set([owner(step.value), ...now.data.messages.filter(([sent, received]) => sent <= step.value && received >= step.value).flatMap(([sent, received]) => [owner(sent), owner(received)])]);
  const names = all.filter((name) => !hiddenLanes.has(name) && (!idle || active.has(name)));
  const x = new Map(names.map((name, index) => [name, 70 + LANE / 2 + index * LANE]));
  const room = box.current?.clientHeight ?? 600;
  useLayoutEffect(() => {
    const element = box.current!;
    const at = step.value * ROW;
    if (at < element.scrollTop || at + 3 * ROW > element.scrollTop + element.clientHeight) element.scrollTop = at - element.clientHeight / 2;
    setTop(element.scrollTop);
  }, [step.value]);
  const [first, last] = [Math.max(1, Math.floor(top / ROW) - 10), Math.min(now.length - 1, Math.ceil((top + room) / ROW) + 10)];
  const visible = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const dim = (...owners: string[]) => (only !== null && !owners.includes(only) ? "lane-dim" : "");
  // An arrow that comes from the right would go through a label above its end.
  const crossed = new Set(arrows ? now.data.messages.filter(([sent, received]) => (x.get(owner(sent)) ?? 0) > (x.get(owner(received)) ?? 0)).map(([, received]) => received) : []);
  const messages = (arrows ? now.data.messages : []).filter(([sent, received]) => sent <= last && received >= first);
  const wide = 70 + LANE * names.length + 110; // the last lane's labels need room too
  return (
    <section class="lanestab">
      <Transport searching={false} />
      <div class="bar">
        <span class="soft">A dot is a step of its lane's owner; an arrow is something put by one and taken by another, dashed where it might have been another one like it. A click on a name dims the others, Alt and a click hides it.</span>
        {now.data.messages.length > 0 && <label><input type="checkbox" checked={arrows} onChange={(event) => setArrows(event.currentTarget.checked)} /> messages</label>}
        <label><input type="checkbox" checked={idle} onChange={(event) => setIdle(event.currentTarget.checked)} /> hide who is idle here</label>
        {hiddenLanes.size > 0 && <button onClick={() => setHiddenLanes(new Set())}>show {hiddenLanes.size} hidden</button>}
      </div>
      <div class="lanes" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <div class="heads" style={{ width: `${wide}px` }}>
          {names.map((name) => (
            <button style={{ left: `${x.get(name)! - LANE / 2}px`, width: `${LANE - 8}px`, borderColor: COLOURS[all.indexOf(name) % COLOURS.length] }} title="dim the others; Alt and a click hides this lane" aria-pressed={only === name} onClick={(event) => (event.altKey ? setHiddenLanes(new Set([...hiddenLanes, name])) : setOnly(only === name ? null : name))}>{name}</button>
          ))}
        </div>
        <svg width={wide} height={now.length * ROW + 10} role="img" aria-label={`lanes of ${names.join(", ")}`}>
          <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="ink" d="M0 0L8 4L0 8Z" /></marker></defs>
          {now.loop !== null && now.loop < now.length - 1 && <rect class="loopbox" x={2} y={(now.loop + 0.5) * ROW} width={wide - 4} height={(now.length - 1 - now.loop) * ROW} />}
          <rect class="chosenrow" x={0} y={(step.value - 0.5) * ROW} width={wide} height={ROW} />
          {names.map((name) => <line class="lane" x1={x.get(name)} x2={x.get(name)} y1={Math.max(0, (first - 1) * ROW)} y2={(last + 0.6) * ROW} />)}
          {messages.map(([sent, received, channel, token, certain]) => {
            const [from, to] = [x.get(owner(sent)), x.get(owner(received))];
            if (from === undefined || to === undefined) return null;
            const [y1, y2] = [sent * ROW, received * ROW];
            const side = to > from ? -9 : 9;
            return (
              <g class={dim(owner(sent), owner(received))}>
                <line class={certain ? "message" : "message unsure"} x1={from} y1={y1} x2={to + side} y2={y2} marker-end="url(#arrow)"><title>{`${token} through ${channel}, sent in step ${sent}`}</title></line>
                <text class="token" x={(from + to) / 2} y={(y1 + y2) / 2 + (to > from ? 11 : -4)} text-anchor="middle">{token.length > 24 ? `${token.slice(0, 23)}…` : token}</text>
              </g>
            );
          })}
          {visible.map((position) => {
            const middle = x.get(owner(position));
            const label = onLane(now.label(position), owner(position));
            return (
              <g class={`event ${dim(owner(position))}`} onClick={() => goTo(position)}>
                <text class="number" x={50} y={position * ROW + 4} text-anchor="end">{position}</text>
                {middle !== undefined && <circle cx={middle} cy={position * ROW} r={position === step.value ? 7 : 5} fill={COLOURS[all.indexOf(owner(position)) % COLOURS.length]} />}
                {middle !== undefined && <text x={middle + 8} y={position * ROW + (crossed.has(position) ? BELOW : ABOVE)}>{label.length > 22 ? `${label.slice(0, 21)}…` : label}<title>{label}</title></text>}
              </g>
            );
          })}
        </svg>
      </div>
      <details>
        <summary>as a table</summary>
        <table class="grid">
          <thead><tr><th>step</th><th>who</th><th>does</th><th>takes</th></tr></thead>
          <tbody>
            {visible.map((position) => (
              <tr>
                <td><button onClick={() => goTo(position)}>{position}</button></td>
                <td>{owner(position)}</td>
                <td>{now.label(position)}</td>
                <td>{now.data.messages.filter(([, received]) => received === position).map(([sent, , channel, token, certain]) => `${token} through ${channel}, sent in step ${sent} by ${owner(sent)}${certain ? "" : " or another one like it"}`).join("; ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {visible.length < now.length - 1 && <p>Steps {first} to {last}: those that the chart shows.</p>}
      </details>
    </section>
  );
}
