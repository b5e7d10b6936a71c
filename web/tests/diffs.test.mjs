// What the page says of changes is what the command line says. CHANGES names a file of values, pairs of them, and texts, which a
// test of the package writes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changeText, Differ, told } from "../src/diff";

const file = process.env.CHANGES;

test.skipIf(!file)("changes are told alike", () => {
  const { values, cases } = JSON.parse(readFileSync(file, "utf-8"));
  const differ = new Differ(values);
  const plain = (text) => text.replace(" → ", " -> ");
  const said = ({ old, now }) => differ.changes("x", old, now).map((change) => plain(changeText(change)));
  const together = ({ old, now }) => told(differ.changes("x", old, now)).map(plain);
  for (const [way, name] of [[said, "texts"], [together, "told"]]) {
    const others = cases.filter((one) => JSON.stringify(way(one)) !== JSON.stringify(one[name]));
    expect(others.slice(0, 5).map((one) => [way(one), one[name], values[one.old], values[one.now]])).toEqual([]);
  }
  expect(cases.length).toBeGreaterThan(999);
});
