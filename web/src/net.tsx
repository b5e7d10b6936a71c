// The net, laid out once; its tokens follow the trace.
import { computed, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NetData, NetPage, Value } from "./data";
import { live, take } from "./live";
import { type Box, COLOUR, drawn, type Drawn, LETTER } from "./netlayout";
import { fullScreen } from "./keys";
import { current, enabledShown, halt, playing, step, trace } from "./state";
import { Changed, Folded } from "./tracetab";
import { Transport } from "./transport";

const MANY = 40; // nodes: a larger net with pages is shown page by page

/** The page that was chosen; -1: the whole net. */
const page = signal<number | null>(null);
/** The page that is shown: without a choice the whole net, unless it is large or its file has drawn the pages. */
const shownPage = computed(() => {
  const net = current.value.net;
  const first = net && net.pages.length && (net.pages[0]!.positions || net.places.length + net.transitions.length > MANY) ? 0 : -1;
  return page.value !== null && page.value < (net?.pages.length ?? 0) ? page.value : first;
});

const READABLE = 24; // letters of a marking; more are shown as a number of tokens

/** The letters of the longest marking of a place that is shown, in any step of any trace. */
function longestMarking(name: string): number {
  const { traces, values } = current.value;
  const texts = traces.flatMap((one) => (one.columns[name] ?? []).filter((_, index) => index % 2).map((value) => values[value]?.[0].length ?? 0));
  return Math.max(0, ...texts.filter((letters) => letters <= READABLE));
}

const drawing = computed<Drawn | null>(() => {
  const net = current.value.net;
  return net ? drawn(net, net.pages[shownPage.value] ?? null, longestMarking) : null;
});

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** How many tokens a place holds, and their text. */
function tokens(value: Value | undefined): { count: number; black: boolean; text: string } {
  if (!value) return { count: 0, black: true, text: "" };
  if (value[1] === "bag") {
    const parts = value[2] as unknown as [number, number][];
    const values = trace.value!.values;
    const count = parts.reduce((sum, [, times]) => sum + times, 0);
    return { count, black: parts.every(([token]) => values[token]![0] === "()"), text: value[0] };
  }
  const number = /^\d+$/.test(value[0]) ? Number(value[0]) : null;
  return value[1] === undefined && number !== null ? { count: number, black: true, text: value[0] } : { count: 1, black: false, text: value[0] };
}

function Place({ index, drawn, moved, choose }: { index: number; drawn: Drawn; moved: boolean; choose: () => void }) {
  const place = current.value.net!.places[index]!;
  const node = drawn.nodes.get(`p${index}`)!;
  const now = trace.value;
  const known = now?.names.includes(place.name) ? now.values[now.value(place.name, step.value)] : undefined;
  const held = now ? tokens(known) : { count: place.count, black: place.black, text: place.tokens };
  const dots = held.black && held.count > 0 && held.count <= 5;
  const long = !held.black && (held.text.length > READABLE || LETTER * held.text.length > node.width);
  const words = dots || held.count === 0 ? "" : held.black || long ? `${held.count} token${held.count === 1 ? "" : "s"}` : held.text;
  const colour = long && held.count > 0 ? "" : clip(place.colour, COLOUR);
  const spoken = `${[clip(place.name, 26), words, colour].filter(Boolean).join(" ")}, a place with ${held.count} tokens`;
  return (
    <g class={moved ? "place moved" : "place"} onClick={choose} {...{ tabindex: 0 }} role="button" aria-label={spoken} onKeyDown={(event) => event.key === "Enter" && choose()}>
      <ellipse cx={node.x} cy={node.y} rx={node.width / 2} ry={node.height / 2} />
      <text x={node.x} y={node.y - 10} text-anchor="middle">{`${clip(place.name, 26)} `}</text>
      {dots ? (
        Array.from({ length: held.count }, (_, dot) => <circle class="tokendot" cx={node.x + (dot - (held.count - 1) / 2) * 11} cy={node.y + 6} r={4} />)
      ) : (
        <text class="tokens" x={node.x} y={node.y + 9} text-anchor="middle">{`${words} `}</text>
      )}
      <text class="colour" x={node.x} y={node.y + 23} text-anchor="middle">{colour}</text>
    </g>
  );
}

/** A token on its way along an arc: from the place before the middle of the step, to the place after it. */
function Travelling({ line, late }: { line: string; late: boolean }) {
  const motion = useRef<SVGAnimationElement>(null);
  const seen = useRef<SVGAnimationElement>(null);
  useEffect(() => {
    const start = () => {
      motion.current?.beginElement();
      seen.current?.beginElement();
    };
    const timer = setTimeout(start, late ? 300 : 0);
    return () => clearTimeout(timer);
  }, []);
  return (
    <circle class="travelling" r={5} opacity={0}>
      <animateMotion ref={motion} begin="indefinite" dur="0.3s" {...{ path: line }} />
      <set ref={seen} attributeName="opacity" to="1" begin="indefinite" dur="0.3s" />
    </circle>
  );
}

/** What was clicked: the tokens of a place, or the ways in which a transition can fire here. */
function Chosen({ chosen, close }: { chosen: string; close: () => void }) {
  const [net, now] = [current.value.net!, trace.value];
  const index = Number(chosen.slice(1));
  const name = (chosen[0] === "p" ? net.places : net.transitions)[index]?.name ?? "";
  if (!now || (chosen[0] === "p" && !now.names.includes(name))) return null;
  if (chosen[0] === "p") {
    const [was, is] = [step.value ? now.value(name, step.value - 1) : -1, now.value(name, step.value)];
    const changes = step.value && was !== is ? now.differ.changes(name, was, is) : [];
    return <p><strong>{name}</strong> holds <Folded text={now.valueText(name, step.value)} />{changes.map((change) => <span class="soft"> {change.gone ? <Changed change={change} /> : "changed in this step"}</span>)} <button onClick={close}>close</button></p>;
  }
  const ways = (now.enabled(step.value) ?? []).filter((one) => one.action === name);
  return (
    <p>
      <strong>{name}</strong> {ways.length ? `can fire here in ${ways.length} ${ways.length === 1 ? "way" : "ways"}: ` : "cannot fire here. "}
      {ways.slice(0, 50).map(({ text }) => (live.value ? <button onClick={() => { close(); void take(text); }}>{text}</button> : <code>{text} </code>))}
      {ways.length > 50 && `and ${ways.length - 50} more `}
      <button aria-pressed={halt.value === name} title="playing stops when it fires" onClick={() => (halt.value = halt.value === name ? null : name)}>stop here</button>
      <button onClick={close}>close</button>
    </p>
  );
}

/** The pages of a net that has some, and the way up from one of them. */
function Pages({ net }: { net: NetData }) {
  if (!net.pages.length) return null;
  return (
    <label>page{" "}
      <select value={shownPage.value} onChange={(event) => (page.value = Number(event.currentTarget.value))}>
        {net.drawn && <option value={-1}>the whole net</option>}
        {net.pages.map((one, index) => <option value={index}>{one.name}</option>)}
      </select>
    </label>
  );
}

/** Whether a transition is on a page or on one below it. */
function holds(net: NetData, one: NetPage, transition: number): boolean {
  return one.transitions.includes(transition) || one.modules.some((module) => holds(net, net.pages[module.page]!, transition));
}

function Modules({ net, at, drawn, fired }: { net: NetData; at: NetPage; drawn: Drawn; fired: number }) {
  return (
    <>
      {at.modules.map((module, index) => {
        const node = drawn.nodes.get(`m${index}`)!;
        const open = () => (page.value = module.page);
        const inside = fired >= 0 && holds(net, net.pages[module.page]!, fired);
        return (
          <g class={`module${inside ? " fired" : ""}`} role="button" {...{ tabindex: 0 }} aria-label={`${module.name}: open this page`} onClick={open} onKeyDown={(event) => event.key === "Enter" && open()}>
            <rect x={node.x - node.width / 2} y={node.y - node.height / 2} width={node.width} height={node.height} />
            <rect class="inner" x={node.x - node.width / 2 + 4} y={node.y - node.height / 2 + 4} width={node.width - 8} height={node.height - 8} />
            <text x={node.x} y={node.y + 4} text-anchor="middle">{clip(module.name, 26)}</text>
          </g>
        );
      })}
    </>
  );
}

function Transition({ index, node, fired, ways, choose }: { index: number; node: Box; fired: boolean; ways: number; choose: () => void }) {
  const can = ways > 0;
  const { name, words } = current.value.net!.transitions[index]!;
  const lines = Math.min(3, words.length);
  const shown = [clip(name, 26), ...words.slice(0, lines).map((word) => clip(word, 30))];
  return (
    <g class={`transition${fired ? " fired" : ""}${can ? " enabled" : ""}${halt.value === name ? " halted" : ""}`} role="button" {...{ tabindex: 0 }} aria-label={`${shown.join(" ")}, a transition, ${ways > 1 ? `enabled in ${ways} ways` : can ? "enabled" : "not enabled"}`} onClick={choose} onKeyDown={(event) => event.key === "Enter" && choose()}>
      <rect x={node.x - node.width / 2} y={node.y - node.height / 2} width={node.width} height={node.height} rx={2} />
      {can && <rect class="inner" x={node.x - node.width / 2 + 3} y={node.y - node.height / 2 + 3} width={node.width - 6} height={node.height - 6} />}
      {ways > 1 && <text class="colour" x={node.x} y={node.y - node.height / 2 - 4} text-anchor="middle">{ways} bindings</text>}
      <text x={node.x} y={node.y - 6 * lines + 5} text-anchor="middle">{clip(name, 26)}<title>{can ? `${name}: enabled` : name}</title></text>
      {shown.slice(1).map((word, line) => <text class="colour" x={node.x} y={node.y - 6 * lines + 18 + 12 * line} text-anchor="middle">{word}<title>{words[line]}</title></text>)}
    </g>
  );
}

function Picture({ drawn, scale, choose }: { drawn: Drawn; scale: number; choose: (id: string) => void }) {
  const [net, now] = [current.value.net!, trace.value];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const action = now && step.value > 0 ? now.action(step.value) : null;
  const enabled = new Map<string, number>();
  for (const { action } of enabledShown.value ? (now?.enabled(step.value) ?? []) : []) enabled.set(action, (enabled.get(action) ?? 0) + 1);
  const fired = net.transitions.findIndex((one) => one.name === action);
  const changed = new Set(now ? now.changedNames(step.value) : []);
  const at = net.pages[shownPage.value];
  const moving = drawn.arcs.filter((arc) => arc.ids.includes(`t${fired}`) && ["put", "take", "test"].includes(arc.kind));
  const ofKind = (letter: string) => [...drawn.nodes].filter(([id]) => id[0] === letter).map(([id, node]) => [Number(id.slice(1)), node] as const);
  return (
    <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} width={drawn.width * scale} height={drawn.height * scale} role="group" aria-label="the net">
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="ink tipink" d="M0 0L8 4L0 8Z" /></marker>
        <marker id="ring" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><circle class="hollow" cx="5" cy="5" r="4" /></marker>
      </defs>
      {drawn.arcs.map((arc) => (
        <g class={`arc ${arc.kind}${arc.ids.includes(`t${fired}`) ? " fired" : ""}`}>
          <path d={arc.path} marker-end={arc.kind === "port" ? undefined : arc.kind === "inhibit" ? "url(#ring)" : "url(#tip)"} marker-start={arc.kind === "test" ? "url(#tip)" : undefined} stroke-dasharray={arc.kind === "reset" ? "4 3" : undefined} />
          {arc.text !== "" && arc.text !== "()" && arc.text !== "1" && <text x={arc.x} y={arc.y} text-anchor="middle">{clip(arc.text, 26)}<title>{arc.text}</title></text>}
        </g>
      ))}
      {at && <Modules net={net} at={at} drawn={drawn} fired={fired} />}
      {ofKind("t").map(([index, node]) => <Transition index={index} node={node} fired={index === fired} ways={enabled.get(net.transitions[index]!.name) ?? 0} choose={() => choose(`t${index}`)} />)}
      {!still && <g key={step.value}>{moving.map((arc) => <Travelling line={arc.path} late={arc.kind === "put"} />)}</g>}
      {ofKind("p").map(([index]) => <Place index={index} drawn={drawn} moved={changed.has(net.places[index]!.name)} choose={() => choose(`p${index}`)} />)}
    </svg>
  );
}

export function NetTab() {
  const [net, now, drawn] = [current.value.net!, trace.value, drawing.value];
  const [chosen, setChosen] = useState<string | null>(null);
  const [zoom, setZoom] = useState<number | null>(null); // null: as large as there is room
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 1000, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const seen = new ResizeObserver(() => setRoom({ width: element.clientWidth - 4, height: Math.max(260, window.innerHeight - element.getBoundingClientRect().top - 60) }));
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  useLayoutEffect(() => box.current?.querySelector(".fired > rect")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [step.value]);
  const scale = zoom ?? (drawn ? Math.max(0.7, Math.min(document.fullscreenElement ? 4 : 1.6, room.width / drawn.width, room.height / drawn.height)) : 1);
  const choose = (id: string) => {
    playing.value = false;
    const ways = id[0] === "t" && now ? (now.enabled(step.value) ?? []).filter((one) => one.action === net.transitions[Number(id.slice(1))]!.name) : [];
    if (live.value && ways.length === 1) void take(ways[0]!.text);
    else setChosen(id);
  };
  return (
    <section class="nettab">
      {now && <p class="sentence">{now.sentence(step.value)}</p>}
      {now && <Transport searching={false} />}
      <div class="bar tools">
        <Pages net={net} />
        <button onClick={() => setZoom(scale / 1.25)} title="smaller">−</button>
        <button onClick={() => setZoom(scale * 1.25)} title="larger">+</button>
        <button onClick={() => setZoom(null)} title="as large as there is room">fit</button>
        <label><input type="checkbox" checked={enabledShown.value} onChange={(event) => (enabledShown.value = event.currentTarget.checked)} /> what is enabled (e)</label>
        <button onClick={fullScreen} title="the net alone, for a projector (f)">full screen</button>
        {halt.value !== null && <span>playing stops at {halt.value} <button onClick={() => (halt.value = null)}>no longer</button></span>}
      </div>
      {chosen && <Chosen chosen={chosen} close={() => setChosen(null)} />}
      {drawn ? (
        <div class="netbox" ref={box}><Picture drawn={drawn} scale={scale} choose={choose} /></div>
      ) : (
        <p>The net has {net.places.length} places and {net.transitions.length} transitions: too many to draw. The table below has its places.</p>
      )}
      <details open={!drawn}>
        <summary>as a table</summary>
        <table class="grid">
          <thead><tr><th>place</th><th>colour</th><th>tokens</th></tr></thead>
          <tbody>
            {net.places.filter((one) => now ? !now.names.includes(one.name) || now.valueText(one.name, step.value) !== "empty" : drawn || one.count > 0).slice(0, 500).map((one) => (
              <tr><td>{one.name}</td><td>{one.colour}</td><td>{now?.names.includes(one.name) ? <Folded text={now.valueText(one.name, step.value)} /> : now ? "" : <Folded text={one.tokens} />}</td></tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
