// Where the nodes of a directed graph are drawn: in layers, so that most lines go from one layer to the next. Lines that are
// longer bend in the layers between; every second layer has room for what is written at lines.

export interface Sized {
  broad: number; // along the layer
  thick: number; // across it
}

export interface Link extends Sized {
  from: number;
  to: number; // its size is that of its text
}

export interface Layered {
  broad: number;
  thick: number;
  nodes: { along: number; across: number }[]; // their middles
  bends: { along: number; across: number }[][]; // of each link, from its first end to its last
  texts: { along: number; across: number }[]; // of each link
}

const BESIDE = 36; // between nodes
const BENDS = 14; // between lines
const BETWEEN = 22; // layers
const MARGIN = 16;
const SWEEPS = 24; // to find an order with few crossings
const VAIN = 4; // of these in a row, without a better order
const PULLS = 12; // to place nodes near their neighbours

/** A graph of which lines go downwards only, with a node wherever a line passes a layer. */
interface Graph {
  sizes: Sized[];
  nodes: number; // so many are nodes; the others are bends
  layer: number[];
  above: number[][];
  below: number[][];
  chains: number[][]; // of each link, its bends from the upper end to the lower
  middles: number[]; // of each link, the bend with its text
  turned: boolean[]; // links that were turned round, since others lead back
}

export function layered(nodes: Sized[], links: Link[]): Layered {
  const graph = withBends(nodes, links);
  const order = fewestCrossings(graph, firstOrder(graph));
  const along = placed(graph, order);
  const across = depths(graph, order);
  const point = (node: number) => ({ along: along[node]!, across: across[graph.layer[node]!]! });
  const ends = along.map((middle, node) => middle + graph.sizes[node]!.broad / 2);
  const last = Math.max(0, ...order.flatMap((layer, number) => layer.map((node) => across[number]! + graph.sizes[node]!.thick / 2)));
  return {
    broad: Math.max(0, ...ends) + MARGIN,
    thick: last + MARGIN,
    nodes: nodes.map((_, node) => point(node)),
    bends: graph.chains.map((chain, link) => (graph.turned[link] ? [...chain].reverse() : chain).map(point)),
    texts: graph.middles.map(point),
  };
}

function withBends(nodes: Sized[], links: Link[]): Graph {
  const { turned, sorted } = withoutCycles(nodes.length, links);
  const ends = links.map(({ from, to }, link): [number, number] => (turned[link] ? [to, from] : [from, to]));
  const layer = layersOf(nodes.length, ends, sorted);
  const sizes = [...nodes];
  const [above, below]: [number[][], number[][]] = [nodes.map(() => []), nodes.map(() => [])];
  const middles: number[] = [];
  const chains = ends.map(([upper, lower], link) => {
    const chain: number[] = [];
    const middle = (layer[upper]! + layer[lower]!) >> 1;
    let before = upper;
    for (let depth = layer[upper]! + 1; depth < layer[lower]!; depth++) {
      const bend = sizes.length;
      const text = depth === middle;
      if (text) middles[link] = bend;
      sizes.push(text ? { broad: links[link]!.broad, thick: links[link]!.thick } : { broad: 0, thick: 0 });
      layer.push(depth);
      above.push([before]);
      below.push([]);
      below[before]!.push(bend);
      chain.push(bend);
      before = bend;
    }
    below[before]!.push(lower);
    above[lower]!.push(before);
    return chain;
  });
  return { sizes, nodes: nodes.length, layer, above, below, chains, middles, turned };
}

/** Which links to turn round so that none leads back, and the nodes in an order in which all links go forwards then. */
function withoutCycles(count: number, links: Link[]): { turned: boolean[]; sorted: number[] } {
  const leaving: number[][] = Array.from({ length: count }, () => []);
  const entered = new Array<boolean>(count).fill(false);
  links.forEach(({ from, to }, link) => {
    leaving[from]!.push(link);
    entered[to] = true;
  });
  const turned = links.map(() => false);
  const state = new Uint8Array(count); // 1: on the way, 2: done
  const sorted: number[] = [];
  const all = Array.from({ length: count }, (_, node) => node);
  for (const root of [...all.filter((node) => !entered[node]), ...all]) {
    if (state[root]) continue;
    const way = [{ node: root, next: 0 }];
    state[root] = 1;
    while (way.length) {
      const here = way[way.length - 1]!;
      const link = leaving[here.node]![here.next++];
      if (link === undefined) {
        state[here.node] = 2;
        sorted.push(here.node);
        way.pop();
      } else if (state[links[link]!.to] === 1) turned[link] = true;
      else if (!state[links[link]!.to]) {
        state[links[link]!.to] = 1;
        way.push({ node: links[link]!.to, next: 0 });
      }
    }
  }
  return { turned, sorted: sorted.reverse() };
}

/** Layers with even numbers, each as near to the start as links allow; then nodes go where their links are short. */
function layersOf(count: number, ends: [number, number][], sorted: number[]): number[] {
  const [above, below]: [number[][], number[][]] = [Array.from({ length: count }, () => []), Array.from({ length: count }, () => [])];
  for (const [upper, lower] of ends) {
    above[lower]!.push(upper);
    below[upper]!.push(lower);
  }
  const layer = new Array<number>(count).fill(0);
  for (const node of sorted) for (const one of above[node]!) layer[node] = Math.max(layer[node]!, layer[one]! + 2);
  for (let round = 0; round < 4; round++) {
    for (const node of [...sorted].reverse()) {
      if (below[node]!.length > above[node]!.length) layer[node] = below[node]!.reduce((least, one) => Math.min(least, layer[one]! - 2), Infinity);
    }
    for (const node of sorted) {
      if (above[node]!.length > below[node]!.length) layer[node] = above[node]!.reduce((most, one) => Math.max(most, layer[one]! + 2), -Infinity);
    }
  }
  const first = layer.reduce((least, one) => Math.min(least, one), Infinity);
  return layer.map((one) => one - first);
}

/** The nodes of each layer as they are met from above, what belongs together together. */
function firstOrder(graph: Graph): number[][] {
  const order: number[][] = Array.from({ length: graph.layer.reduce((most, one) => Math.max(most, one), -1) + 1 }, () => []);
  const met = new Uint8Array(graph.sizes.length);
  const roots = Array.from({ length: graph.nodes }, (_, node) => node).sort((one, other) => graph.layer[one]! - graph.layer[other]!);
  for (const root of roots) {
    const waiting = [root];
    while (waiting.length) {
      const node = waiting.pop()!;
      if (met[node]) continue;
      met[node] = 1;
      order[graph.layer[node]!]!.push(node);
      for (let index = graph.below[node]!.length - 1; index >= 0; index--) waiting.push(graph.below[node]![index]!);
    }
  }
  return order;
}

/** Nodes are sorted by where their neighbours are, from above and from below in turn; the best order is kept. */
function fewestCrossings(graph: Graph, first: number[][]): number[][] {
  let order = first;
  let best = order;
  let fewest = crossings(graph, order);
  for (let sweep = 0, vain = 0; sweep < SWEEPS && vain < VAIN && fewest > 0; sweep++) {
    order = order.map((layer) => [...layer]);
    const down = sweep % 2 === 0;
    const place = new Float64Array(graph.sizes.length);
    const layers = down ? order : [...order].reverse();
    for (const layer of layers) {
      const near = down ? graph.above : graph.below;
      const wanted = new Map(layer.map((node, index) => [node, near[node]!.length ? near[node]!.reduce((sum, one) => sum + place[one]!, 0) / near[node]!.length : index / layer.length]));
      const equal = sweep % 4 < 2 ? 1 : -1; // which of two comes first that are wanted at one place
      const before = new Map(layer.map((node, index) => [node, equal * index]));
      layer.sort((one, other) => wanted.get(one)! - wanted.get(other)! || before.get(one)! - before.get(other)!);
      layer.forEach((node, index) => (place[node] = index / layer.length));
    }
    const found = crossings(graph, order);
    vain = found < fewest ? 0 : vain + 1;
    if (found < fewest) [best, fewest] = [order, found];
  }
  return best;
}

/** How often lines between neighbouring layers cross each other: for each line, those met before that end further on. */
function crossings(graph: Graph, order: number[][]): number {
  const place = new Int32Array(graph.sizes.length);
  for (const layer of order) layer.forEach((node, index) => (place[node] = index));
  let found = 0;
  for (let depth = 0; depth + 1 < order.length; depth++) {
    const size = order[depth + 1]!.length;
    const ended = new Int32Array(size + 1); // a tree of sums
    let lines = 0;
    for (const node of order[depth]!) {
      for (const end of graph.below[node]!.map((one) => place[one]!).sort((one, other) => one - other)) {
        let left = 0; // lines that end here or before
        for (let at = end + 1; at > 0; at -= at & -at) left += ended[at]!;
        found += lines++ - left;
        for (let at = end + 1; at <= size; at += at & -at) ended[at]!++;
      }
    }
  }
  return found;
}

/** Where along its layer each node is: in the middle of its neighbours as far as there is room, long lines straight. */
function placed(graph: Graph, order: number[][]): number[] {
  const along = new Array<number>(graph.sizes.length).fill(0);
  for (const layer of order) pack(graph, layer, along, layer.map(() => 0), layer.map(() => 1));
  for (let pull = 0; pull < PULLS; pull++) {
    const last = pull >= PULLS - 4;
    for (const layer of pull % 2 ? [...order].reverse() : order) {
      const wanted: number[] = [];
      const weights: number[] = [];
      for (const node of layer) {
        const near = last ? [...graph.above[node]!, ...graph.below[node]!] : (pull % 2 ? graph.below : graph.above)[node]!;
        const bend = node >= graph.nodes;
        const pulls = near.map((one) => (bend && one >= graph.nodes ? 8 : 1));
        const weight = pulls.reduce((sum, one) => sum + one, 0);
        wanted.push(weight ? near.reduce((sum, one, index) => sum + along[one]! * pulls[index]!, 0) / weight : along[node]!);
        weights.push(bend ? 8 : Math.max(1, near.length));
      }
      pack(graph, layer, along, wanted, weights);
    }
  }
  const least = along.reduce((most, middle, node) => Math.min(most, middle - graph.sizes[node]!.broad / 2), Infinity);
  return along.map((middle) => middle - least + MARGIN);
}

/** The places of a layer's nodes that are nearest to the wanted ones and leave room: neighbours that would be too near to each
 *  other move together. */
function pack(graph: Graph, layer: number[], along: number[], wanted: number[], weights: number[]): void {
  const offsets: number[] = [];
  layer.forEach((node, index) => {
    const before = layer[index - 1];
    if (before === undefined) offsets.push(0);
    else offsets.push(offsets[index - 1]! + (graph.sizes[before]!.broad + graph.sizes[node]!.broad) / 2 + (before >= graph.nodes && node >= graph.nodes ? BENDS : BESIDE));
  });
  const groups: { weight: number; sum: number; count: number }[] = [];
  layer.forEach((_, index) => {
    let group = { weight: weights[index]!, sum: weights[index]! * (wanted[index]! - offsets[index]!), count: 1 };
    for (let before = groups[groups.length - 1]; before && before.sum / before.weight >= group.sum / group.weight; before = groups[groups.length - 1]) {
      groups.pop();
      group = { weight: group.weight + before.weight, sum: group.sum + before.sum, count: group.count + before.count };
    }
    groups.push(group);
  });
  let index = 0;
  for (const { weight, sum, count } of groups) for (const end = index + count; index < end; index++) along[layer[index]!] = sum / weight + offsets[index]!;
}

/** Where the middle of each layer is. */
function depths(graph: Graph, order: number[][]): number[] {
  let end = MARGIN - BETWEEN;
  return order.map((layer) => {
    const thick = layer.reduce((most, node) => Math.max(most, graph.sizes[node]!.thick), 0);
    const middle = end + BETWEEN + thick / 2;
    end = middle + thick / 2;
    return middle;
  });
}
