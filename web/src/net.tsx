// The net, laid out once; its tokens follow the trace.
import { graphlib, layout } from "@dagrejs/dagre";
import { computed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NetData, Value } from "./data";
import { current, step, trace } from "./state";
import { Folded } from "./tracetab";
import { Transport } from "./transport";

interface Drawn {
  width: number;
  height: number;
  nodes: Map<string, { x: number; y: number; width: number; height: number }>;
  arcs: { points: { x: number; y: number }[]; kind: string; text: string; transition: number; place: number; x: number; y: number }[];
}

/** Downwards or to the right, whichever fills a screen better. */
const drawing = computed<Drawn | null>(() => {
  const net = current.value.net;
  if (!net?.drawn) return null;
  const [down, right] = [laidOut(net, "TB"), laidOut(net, "LR")];
  const fits = (drawn: Drawn) => Math.min(1250 / drawn.width, 600 / drawn.height);
  return fits(right) > 1.2 * fits(down) ? right : down;
});

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Arcs of one place and one transition with the same ends become one line. */
function laidOut(net: NetData, rankdir: string): Drawn {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 36, ranksep: 44, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const wide = (text: string, least: number) => Math.max(least, 7.2 * Math.min(text.length, 26) + 20);
  net.places.forEach((place, index) => graph.setNode(`p${index}`, { width: wide(place.name, 70), height: 62 }));
  net.transitions.forEach((one, index) => graph.setNode(`t${index}`, { width: Math.max(wide(one.name, 60), ...one.words.map((word) => wide(word, 0) * 0.85)), height: 34 + 13 * Math.min(3, one.words.length) }));
  net.arcs.forEach(([place, transition, kind, text], index) => {
    const [from, to] = kind === "put" ? [`t${transition}`, `p${place}`] : [`p${place}`, `t${transition}`];
    graph.setEdge(from, to, { width: Math.min(26, text.length) * 6, height: 12, labelpos: "c" }, String(index));
  });
  layout(graph);
  const nodes = new Map(graph.nodes().map((id) => [id, graph.node(id) as { x: number; y: number; width: number; height: number }]));
  const arcs = graph.edges().map((edge) => {
    const found = graph.edge(edge) as { points: { x: number; y: number }[]; x?: number; y?: number };
    const [place, transition, kind, text] = net.arcs[Number(edge.name)]!;
    const points = [...found.points];
    const circle = nodes.get(`p${place}`)!;
    if (kind === "put") points[points.length - 1] = onBorder(circle, points[points.length - 2]!);
    else points[0] = onBorder(circle, points[1]!);
    const middle = points[Math.floor(points.length / 2)]!;
    return { points, kind, text, transition, place, x: found.x ?? middle.x, y: (found.y ?? middle.y) + 4 };
  });
  const size = graph.graph() as { width: number; height: number };
  return { width: size.width, height: size.height, nodes, arcs };
}

type Point = { x: number; y: number };

/** A smooth line through all points. */
function path(points: Point[]): string {
  let found = `M${round(points[0]!)}`;
  for (let index = 0; index < points.length - 1; index++) {
    const [before, one, next, after] = [points[index - 1] ?? points[index]!, points[index]!, points[index + 1]!, points[index + 2] ?? points[index + 1]!];
    const first = { x: one.x + (next.x - before.x) / 6, y: one.y + (next.y - before.y) / 6 };
    const second = { x: next.x - (after.x - one.x) / 6, y: next.y - (after.y - one.y) / 6 };
    found += `C${round(first)} ${round(second)} ${round(next)}`;
  }
  return found;
}

function round({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** Where the line from a point to the middle of an ellipse meets its border. */
function onBorder(node: { x: number; y: number; width: number; height: number }, from: Point): Point {
  const [a, b] = [node.width / 2, node.height / 2];
  const [dx, dy] = [from.x - node.x, from.y - node.y];
  const far = Math.hypot(dx / a, dy / b) || 1;
  return { x: node.x + dx / far, y: node.y + dy / far };
}

/** How many tokens a place holds, and their text. */
function tokens(value: Value | undefined): { count: number; black: boolean; text: string } {
  if (!value) return { count: 0, black: true, text: "" };
  if (value[1] === "bag") {
    const parts = value[2] as [number, number][];
    const values = trace.value!.values;
    const count = parts.reduce((sum, [, times]) => sum + times, 0);
    return { count, black: parts.every(([token]) => values[token]![0] === "()"), text: value[0] };
  }
  const number = /^\d+$/.test(value[0]) ? Number(value[0]) : null;
  return value.length === 1 && number !== null ? { count: number, black: true, text: value[0] } : { count: 1, black: false, text: value[0] };
}

function Place({ index, drawn, moved, choose }: { index: number; drawn: Drawn; moved: boolean; choose: () => void }) {
  const place = current.value.net!.places[index]!;
  const node = drawn.nodes.get(`p${index}`)!;
  const now = trace.value;
  const known = now?.names.includes(place.name) ? now.values[now.value(place.name, step.value)] : undefined;
  const held = now ? tokens(known) : { count: place.count, black: place.black, text: place.tokens };
  const dots = held.black && held.count > 0 && held.count <= 5;
  const long = !held.black && held.text.length > 24;
  const words = dots || held.count === 0 ? "" : held.black || long ? `${held.count} token${held.count === 1 ? "" : "s"}` : held.text;
  const colour = long && held.count > 0 ? "" : clip(place.colour, 20);
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

function Chosen({ name }: { name: string }) {
  const now = trace.value;
  if (!now?.names.includes(name)) return null;
  return <p><strong>{name}</strong> holds <Folded text={now.valueText(name, step.value)} /></p>;
}

export function NetTab() {
  const net = current.value.net!;
  const now = trace.value;
  const drawn = drawing.value;
  const [place, setPlace] = useState<string | null>(null);
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
  useLayoutEffect(() => box.current?.querySelector(".transition.fired")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [step.value]);
  const scale = zoom ?? (drawn ? Math.max(0.7, Math.min(1.6, room.width / drawn.width, room.height / drawn.height)) : 1);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const action = now && step.value > 0 ? now.action(step.value) : null;
  const enabled = new Set((now?.data.enabled?.[String(step.value)] ?? []).map((label) => label.replace(/\(.*$/s, "")));
  const fired = net.transitions.findIndex((one) => one.name === action);
  const changed = new Set(now ? now.changedNames(step.value) : []);
  return (
    <section class="nettab">
      {now && <Transport searching={false} />}
      <div class="bar">
        {now && <span class="sentence">{now.sentence(step.value)}</span>}
        <button onClick={() => setZoom(scale / 1.25)} title="smaller">−</button>
        <button onClick={() => setZoom(scale * 1.25)} title="larger">+</button>
        <button onClick={() => setZoom(null)} title="as large as there is room">fit</button>
      </div>
      {place && <Chosen name={place} />}
      {drawn ? (
        <div class="netbox" ref={box}>
          <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} width={drawn.width * scale} height={drawn.height * scale} role="group" aria-label="the net">
            <defs>
              <marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="ink" d="M0 0L8 4L0 8Z" /></marker>
              <marker id="ring" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" orient="auto"><circle class="hollow" cx="5" cy="5" r="4" /></marker>
            </defs>
            {drawn.arcs.map((arc) => (
              <g class={arc.transition === fired ? "arc fired" : "arc"}>
                <path d={path(arc.points)} marker-end={arc.kind === "inhibit" ? "url(#ring)" : "url(#tip)"} marker-start={arc.kind === "test" ? "url(#tip)" : undefined} stroke-dasharray={arc.kind === "reset" ? "4 3" : undefined} />
                {arc.text !== "" && arc.text !== "()" && arc.text !== "1" && <text x={arc.x} y={arc.y} text-anchor="middle">{clip(arc.text, 26)}<title>{arc.text}</title></text>}
              </g>
            ))}
            {net.transitions.map((one, index) => {
              const node = drawn.nodes.get(`t${index}`)!;
              const can = enabled.has(one.name);
              return (
                <g class={`transition${index === fired ? " fired" : ""}${can ? " enabled" : ""}`}>
                  <rect x={node.x - node.width / 2} y={node.y - node.height / 2} width={node.width} height={node.height} rx={2} />
                  {can && <rect class="inner" x={node.x - node.width / 2 + 3} y={node.y - node.height / 2 + 3} width={node.width - 6} height={node.height - 6} />}
                  <text x={node.x} y={node.y - 6 * Math.min(3, one.words.length) + 5} text-anchor="middle">{clip(one.name, 26)}<title>{can ? `${one.name}: enabled` : one.name}</title></text>
                  {one.words.slice(0, 3).map((word, line) => <text class="colour" x={node.x} y={node.y - 6 * Math.min(3, one.words.length) + 18 + 12 * line} text-anchor="middle">{clip(word, 30)}<title>{word}</title></text>)}
                </g>
              );
            })}
            {!still && fired >= 0 && (
              <g key={step.value}>
                {drawn.arcs.filter((arc) => arc.transition === fired && (arc.kind === "put" || arc.kind === "take" || arc.kind === "test")).map((arc) => (
                  <Travelling line={path(arc.points)} late={arc.kind === "put"} />
                ))}
              </g>
            )}
            {net.places.map((one, index) => <Place index={index} drawn={drawn} moved={changed.has(one.name)} choose={() => setPlace(one.name)} />)}
          </svg>
        </div>
      ) : (
        <p>The net has {net.places.length} places and {net.transitions.length} transitions: too many to draw. The table below has its places.</p>
      )}
      <details open={!drawn}>
        <summary>as a table</summary>
        <table class="grid">
          <thead><tr><th>place</th><th>colour</th><th>tokens</th></tr></thead>
          <tbody>
            {net.places.filter((one) => !now || !now.names.includes(one.name) || now.valueText(one.name, step.value) !== "empty").slice(0, 500).map((one) => (
              <tr><td>{one.name}</td><td>{one.colour}</td><td>{now?.names.includes(one.name) ? <Folded text={now.valueText(one.name, step.value)} /> : ""}</td></tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
