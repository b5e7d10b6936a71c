// The state graph of a small model: columns by distance from the start, the trace in it, the state that is looked at.
import { computed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { GraphData } from "./data";
import { current, goTo, step, tab, trace, traceNumber } from "./state";
import { Folded } from "./tracetab";

const FEW = 60; // states: up to so many, they are drawn with room around them

interface Drawn {
  width: number;
  height: number;
  box: [width: number, height: number]; // of a state
  nodes: { x: number; y: number }[];
  lines: string[]; // of the edges
}

/** A column for each distance from the start. In a column, states are near to those that lead to them. */
const drawing = computed<Drawn | null>(() => {
  const graph = current.value.graph;
  if (!graph) return null;
  const [box, across, down]: [[number, number], number, number] = graph.states.length <= FEW ? [[44, 28], 120, 48] : [[34, 20], 84, 27];
  const columns = ordered(graph);
  const tallest = Math.max(...columns.map((column) => column.length));
  const nodes = graph.states.map(() => ({ x: 0, y: 0 }));
  columns.forEach((column, far) =>
    column.forEach((number, row) => {
      nodes[number] = { x: 40 + across * far, y: 60 + down * (row + (tallest - column.length) / 2) };
    }),
  );
  const lines = graph.edges.map(([source, target]) => line(nodes[source]!, nodes[target]!, box));
  return { width: 80 + across * (columns.length - 1), height: 120 + down * (tallest - 1), box, nodes, lines };
});

function ordered(graph: GraphData): number[][] {
  const after: number[][] = graph.states.map(() => []);
  const before: number[][] = graph.states.map(() => []);
  for (const [source, target] of graph.edges) {
    after[source]!.push(target);
    before[target]!.push(source);
  }
  const depth: number[] = graph.states.map((_, number) => (number < graph.initial ? 0 : -1));
  const waiting = depth.flatMap((far, number) => (far === 0 ? [number] : []));
  const columns: number[][] = [];
  for (const number of waiting) {
    (columns[depth[number]!] ??= []).push(number);
    for (const next of after[number]!) {
      if (depth[next]! >= 0) continue;
      depth[next] = depth[number]! + 1;
      waiting.push(next);
    }
  }
  const row = new Map<number, number>();
  for (const column of columns) {
    const wanted = (number: number) => {
      const known = before[number]!.filter((one) => depth[one]! < depth[number]!).map((one) => row.get(one)!);
      return known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : 0;
    };
    const places = new Map(column.map((number) => [number, wanted(number)]));
    column.sort((one, other) => places.get(one)! - places.get(other)!);
    column.forEach((number, index) => row.set(number, index - column.length / 2));
  }
  return columns;
}

/** From the right of a state to the left of another; back, or within a column, as a bow above. */
function line(one: { x: number; y: number }, other: { x: number; y: number }, [width, height]: [number, number]): string {
  if (one === other) return `M${one.x - 8} ${one.y - height / 2}C${one.x - 22} ${one.y - height * 1.4} ${one.x + 22} ${one.y - height * 1.4} ${one.x + 8} ${one.y - height / 2}`;
  if (other.x > one.x) {
    const middle = (one.x + other.x) / 2;
    return `M${one.x + width / 2} ${one.y}C${middle} ${one.y} ${middle} ${other.y} ${other.x - width / 2} ${other.y}`;
  }
  const bow = 30 + Math.abs(one.x - other.x) / 8;
  const side = other.y > one.y ? 1 : -1; // towards the other one, so that it stays inside the drawing
  const [from, to] = [one.y + (side * height) / 2, other.x === one.x ? other.y - (side * height) / 2 : other.y + (side * height) / 2];
  if (other.x === one.x) return `M${one.x} ${from}C${one.x + 14} ${from + side * 8} ${one.x + 14} ${to - side * 8} ${other.x} ${to}`;
  return `M${one.x} ${from}C${one.x} ${from + side * bow} ${other.x} ${to + side * bow} ${other.x} ${to}`;
}

function StateOf({ graph, number }: { graph: GraphData; number: number }) {
  const values = current.value.values;
  const out = graph.edges.filter(([source]) => source === number);
  const steps = (graph.traces[traceNumber.value] ?? []).flatMap((state, position) => (state === number ? [position] : []));
  return (
    <div class="statepane">
      <p class="sentence">State {number}{number < graph.initial ? ", an initial state" : ""}{out.length ? "" : ", nothing is possible here"}</p>
      {graph.violates[number]!.map((name) => <p class="no">✗ {name}</p>)}
      {graph.progress && <p>progress {values[graph.progress[number]!]![0]}</p>}
      {steps.length > 0 && <p>in the trace: {steps.slice(0, 12).map((position) => <button onClick={() => { goTo(position); tab.value = "trace"; }}>step {position}</button>)}</p>}
      <table class="state" aria-label="state"><tbody>{graph.names.map((name, index) => <tr><th scope="row">{name}</th><td><Folded text={values[graph.states[number]![index]!]![0]} /></td></tr>)}</tbody></table>
      <ul class="causes">{out.map(([, target, label]) => <li>{graph.labels[label]} → state {target}</li>)}</ul>
    </div>
  );
}

export function GraphTab() {
  const graph = current.value.graph!;
  const drawn = drawing.value!;
  const [chosen, setChosen] = useState<number | null>(null);
  const [zoom, setZoom] = useState(Math.max(0.6, Math.min(1.3, 780 / drawn.width)));
  const way = trace.value ? (graph.traces[traceNumber.value] ?? []) : [];
  const here = way[step.value] ?? -1;
  const shown = chosen ?? (here >= 0 ? here : 0);
  const met = new Set(way);
  const walked = new Set(way.slice(1).map((state, index) => `${way[index]} ${state}`));
  const pick = (number: number) => {
    setChosen(number);
    if (way.includes(number)) goTo(way.indexOf(number));
  };
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector(".state-node.shown")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown]);
  const onTrace = chosen === null || chosen === here;
  return (
    <section class="graphtab">
      <div class="bar">
        <span>{graph.states.length} {current.value.report?.statistics["classes"] == null ? "states" : "classes"}, {graph.edges.length} edges; from left to right by their distance from the start{way.length ? "; the trace is drawn bold" : ""}</span>
        <button title="smaller" onClick={() => setZoom(zoom / 1.25)}>−</button>
        <button title="larger" onClick={() => setZoom(zoom * 1.25)}>+</button>
        {!onTrace && here >= 0 && <button onClick={() => setChosen(null)}>back to the trace</button>}
      </div>
      <div class="graphpanes">
        <div class="netbox" ref={box}>
          <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} width={drawn.width * zoom} height={drawn.height * zoom} role="group" aria-label="the state graph; the table below has it in words">
            <defs><marker id="edgetip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ink" d="M0 0L8 4L0 8Z" /></marker></defs>
            {graph.edges.map(([source, target, label], index) => (
              <path class={`edge${walked.has(`${source} ${target}`) ? " walked" : ""}${source === shown ? " out" : ""}`} d={drawn.lines[index]} marker-end="url(#edgetip)"><title>{`${graph.labels[label]}: ${source} → ${target}`}</title></path>
            ))}
            {graph.edges.map(([source, target, label]) => source === shown && <text class="edgelabel" x={(drawn.nodes[source]!.x + drawn.nodes[target]!.x) / 2} y={(drawn.nodes[source]!.y + drawn.nodes[target]!.y) / 2 - 3} text-anchor="middle">{graph.labels[label]!.slice(0, 30)}</text>)}
            {drawn.nodes.map((node, number) => (
              <g class={`state-node${number === shown ? " shown" : ""}${met.has(number) ? " walked" : ""}${graph.violates[number]!.length ? " bad" : ""}`} role="button" {...{ tabindex: number === shown ? 0 : -1 }} aria-label={`state ${number}${graph.violates[number]!.length ? ", which violates " + graph.violates[number]!.join(", ") : ""}`} onClick={() => pick(number)} onKeyDown={(event) => event.key === "Enter" && pick(number)}>
                <rect x={node.x - drawn.box[0] / 2} y={node.y - drawn.box[1] / 2} width={drawn.box[0]} height={drawn.box[1]} rx={number < graph.initial ? 2 : 9} />
                <text x={node.x} y={node.y + 4} text-anchor="middle">{number}{graph.violates[number]!.length ? "✗" : ""}</text>
              </g>
            ))}
          </svg>
        </div>
        <StateOf graph={graph} number={shown} />
      </div>
      <details>
        <summary>as a table</summary>
        <table class="grid">
          <thead><tr><th>state</th><th>values</th><th>goes on with</th></tr></thead>
          <tbody>
            {graph.states.map((state, number) => (
              <tr>
                <td><button onClick={() => pick(number)}>{number}</button></td>
                <td>{graph.names.map((name, index) => `${name}=${current.value.values[state[index]!]![0]}`).join("  ").slice(0, 200)}</td>
                <td>{graph.edges.filter(([source]) => source === number).map(([, target, label]) => `${graph.labels[label]} → ${target}`).join(", ").slice(0, 300)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
