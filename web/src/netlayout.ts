// Where the nodes of a net are drawn: as its file has them, or laid out, once for each page.
import type { NetData, NetPage } from "./data";
import { layered } from "./layers";

export type Point = { x: number; y: number };
export type Box = Point & { width: number; height: number };

export interface Arc {
  path: string;
  kind: string; // to a module: "port"
  text: string;
  ids: [from: string, to: string];
  x: number; // of its text
  y: number;
}

export interface Drawn {
  width: number;
  height: number;
  nodes: Map<string, Box>; // p0, t3, m1
  arcs: Arc[];
}

type Line = { from: string; to: string; kind: string; text: string };

const MOST = 400; // nodes; more cannot be read
export const LETTER = 7.2; // how wide one is
const SMALL = 5.8; // and one of a colour, which stands where a place is 0.72 of its width
export const COLOUR = 20; // letters of a colour that are shown

/** A net, or a page of it; null where there are too many nodes to draw. `marking`: letters that a place has room for. */
export function drawn(net: NetData, page: NetPage | null, marking: (place: string) => number): Drawn | null {
  const nodes = sizes(net, page, marking);
  if (nodes.size > MOST) return null;
  const lines = linesOf(net, page, nodes);
  if (page?.positions) return placed(nodes, lines, page.positions);
  const [down, right] = [laidOut(nodes, lines, false), laidOut(nodes, lines, true)];
  const fits = (one: Drawn) => Math.min(1250 / one.width, 600 / one.height);
  return fits(right) > 1.2 * fits(down) ? right : down;
}

function sizes(net: NetData, page: NetPage | null, marking: (place: string) => number): Map<string, { width: number; height: number }> {
  const wide = (text: string, least: number) => Math.max(least, LETTER * Math.min(text.length, 26) + 20);
  const all = (count: number) => Array.from({ length: count }, (_, index) => index);
  const found = new Map<string, { width: number; height: number }>();
  for (const index of page?.places ?? all(net.places.length)) {
    const { name, colour } = net.places[index]!;
    found.set(`p${index}`, { width: Math.max(wide(name, 70), LETTER * marking(name) + 16, (SMALL * Math.min(colour.length, COLOUR)) / 0.72), height: 62 });
  }
  for (const index of page?.transitions ?? all(net.transitions.length)) {
    const { name, words } = net.transitions[index]!;
    found.set(`t${index}`, { width: Math.max(wide(name, 60), ...words.map((word) => wide(word, 0) * 0.85)), height: 34 + 13 * Math.min(3, words.length) });
  }
  page?.modules.forEach(({ name }, index) => found.set(`m${index}`, { width: wide(name, 80), height: 44 }));
  return found;
}

function linesOf(net: NetData, page: NetPage | null, nodes: Map<string, unknown>): Line[] {
  const lines = net.arcs.map(([place, transition, kind, text]): Line => {
    const [from, to] = kind === "put" ? [`t${transition}`, `p${place}`] : [`p${place}`, `t${transition}`];
    return { from, to, kind, text };
  });
  const ports = (page?.modules ?? []).flatMap((module, index) => module.places.map((place): Line => ({ from: `p${place}`, to: `m${index}`, kind: "port", text: "" })));
  return [...lines, ...ports].filter(({ from, to }) => nodes.has(from) && nodes.has(to));
}

/** In layers, one below the other, or beside each other. */
function laidOut(sizes: Map<string, { width: number; height: number }>, lines: Line[], beside: boolean): Drawn {
  const turned = ({ width, height }: { width: number; height: number }) => (beside ? { broad: height, thick: width } : { broad: width, thick: height });
  const numbers = new Map([...sizes.keys()].map((id, number) => [id, number]));
  const links = lines.map(({ from, to, text }) => ({ from: numbers.get(from)!, to: numbers.get(to)!, ...turned({ width: Math.min(26, text.length) * 6, height: 12 }) }));
  const found = layered([...sizes.values()].map(turned), links);
  const point = ({ along, across }: { along: number; across: number }): Point => (beside ? { x: across, y: along } : { x: along, y: across });
  const nodes = new Map([...sizes].map(([id, size], number): [string, Box] => [id, { ...size, ...point(found.nodes[number]!) }]));
  const arcs = lines.map(({ from, to, kind, text }, number): Arc => {
    const bends = found.bends[number]!.map(point);
    const [one, other] = [nodes.get(from)!, nodes.get(to)!];
    const points = [onBorder(one, bends[0]!, from[0] === "p"), ...bends, onBorder(other, bends[bends.length - 1]!, to[0] === "p")];
    const middle = point(found.texts[number]!);
    return { path: curve(turns(points)), kind, text, ids: [from, to], x: middle.x, y: middle.y + (beside ? -4 : 4) }; // above a line that lies, across one that stands
  });
  const size = point({ along: found.broad, across: found.thick });
  return { width: size.x, height: size.y, nodes, arcs };
}

/** The points at which a line turns, with both ends. */
function turns(points: Point[]): Point[] {
  const kept = [points[0]!];
  for (const [index, point] of points.slice(1, -1).entries()) {
    const [before, after] = [kept[kept.length - 1]!, points[index + 2]!];
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const off = Math.abs(dx * (point.y - before.y) - dy * (point.x - before.x)); // twice the triangle
    if (off > 0.5 * Math.hypot(dx, dy)) kept.push(point); // further than half a pixel from the straight line
  }
  return [...kept, points[points.length - 1]!];
}

/** The positions of a file, so far apart that our nodes, which have more words, do not cover each other. */
function placed(sizes: Map<string, { width: number; height: number }>, lines: Line[], positions: Record<string, [number, number]>): Drawn {
  const ids = [...sizes.keys()].filter((id) => id in positions);
  let scale = 0.6;
  for (const [index, one] of ids.entries()) {
    for (const other of ids.slice(0, index)) {
      const [dx, dy] = [0, 1].map((axis) => Math.abs(positions[one]![axis]! - positions[other]![axis]!)) as [number, number];
      const [a, b] = [sizes.get(one)!, sizes.get(other)!];
      scale = Math.max(scale, Math.min(((a.width + b.width) / 2 + 24) / (dx || 1e-9), ((a.height + b.height) / 2 + 20) / (dy || 1e-9), 6));
    }
  }
  const left = Math.min(...ids.map((id) => positions[id]![0] * scale - sizes.get(id)!.width / 2)) - 16;
  const top = Math.min(...ids.map((id) => positions[id]![1] * scale - sizes.get(id)!.height / 2)) - 16;
  const nodes = new Map(ids.map((id): [string, Box] => [id, { ...sizes.get(id)!, x: positions[id]![0] * scale - left, y: positions[id]![1] * scale - top }]));
  const boxes = [...nodes.values()];
  return {
    width: Math.max(...boxes.map((box) => box.x + box.width / 2)) + 16,
    height: Math.max(...boxes.map((box) => box.y + box.height / 2)) + 16,
    nodes,
    arcs: lines.map((line) => straight(nodes, line, lines)),
  };
}

/** A line from border to border; two between the same nodes go beside each other. */
function straight(nodes: Map<string, Box>, line: Line, lines: Line[]): Arc {
  const { from, to, kind, text } = line;
  const [one, other] = [nodes.get(from)!, nodes.get(to)!];
  const beside = lines.filter((each) => (each.from === from && each.to === to) || (each.from === to && each.to === from));
  const far = Math.hypot(other.x - one.x, other.y - one.y) || 1;
  const off = 14 * (beside.indexOf(line) - (beside.length - 1) / 2) * (from[0] === "p" ? 1 : -1);
  const shift = { x: (-(other.y - one.y) / far) * off, y: ((other.x - one.x) / far) * off };
  const middle = { x: (one.x + other.x) / 2 + 2 * shift.x, y: (one.y + other.y) / 2 + 2 * shift.y };
  const points = [onBorder(one, middle, from[0] === "p"), middle, onBorder(other, middle, to[0] === "p")];
  return { path: curve(points), kind, text, ids: [from, to], x: middle.x, y: middle.y - 3 };
}

/** A smooth line through all points. */
function curve(points: Point[]): string {
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

/** Where the line from a point to the middle of an ellipse or a box meets its border. */
function onBorder(node: Box, from: Point, ellipse: boolean): Point {
  const [a, b] = [node.width / 2, node.height / 2];
  const [dx, dy] = [from.x - node.x, from.y - node.y];
  const far = (ellipse ? Math.hypot(dx / a, dy / b) : Math.max(Math.abs(dx) / a, Math.abs(dy) / b)) || 1;
  return { x: node.x + dx / far, y: node.y + dy / far };
}
