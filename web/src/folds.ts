// Blocks of steps that repeat, such as (send, lose) 412 times, as one row.

export interface Row {
  first: number; // the first step of the row
  last: number;
  period: number; // steps of a round; 0 of a row that is one step
}

const LONGEST = 60; // steps of a round
const FEWEST = 3; // rounds
const WORTH = 6; // steps that a row must stand for

/** Rows for all steps: single ones, and blocks that repeat. No block goes over one of the `borders`. */
export function foldedRows(labels: number[], borders: Set<number>): Row[] {
  const rows: Row[] = [{ first: 0, last: 0, period: 0 }];
  const steps = labels.length;
  let end = 1; // of the part without borders that a step is in
  for (let first = 1; first <= steps; ) {
    while (end <= first || (end <= steps && !borders.has(end))) end++;
    const [period, rounds] = best(labels, first, end);
    if (period) {
      rows.push({ first, last: first + period * rounds - 1, period });
      first += period * rounds;
    } else rows.push({ first, last: first++, period: 0 });
  }
  return rows;
}

/** The block at a step that stands for most steps: its length and how often it comes. Steps are counted from 1. */
function best(labels: number[], first: number, end: number): [period: number, rounds: number] {
  let found: [number, number] = [0, 0];
  for (let period = 1; period <= LONGEST && first + FEWEST * period <= end; period++) {
    let same = first;
    while (same + period < end && labels[same - 1] === labels[same + period - 1]) same++;
    const rounds = Math.floor((same - first) / period) + 1;
    if (rounds >= FEWEST && rounds * period >= WORTH && rounds * period > found[0] * found[1]) found = [period, rounds];
  }
  return found;
}
