import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("../../dist/cli/young-objects.js", import.meta.url).href;

/** Makes objects of which many outlive a collection or two, and tells V8's room for young ones in MiB. */
const PROGRAM = `
  import { setImmediate as turn } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";
  const { boundYoungObjects } = await import(${JSON.stringify(MODULE)});
  boundYoungObjects();
  const kept = [];
  for (let round = 0; round < 300; round += 1) {
    kept[round % 40] = Array.from({ length: 4000 }, (_, user) => ({ user }));
    await turn();
  }
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  console.log(young.space_size / 2 ** 20);`;

async function roomOf(...flags: readonly string[]): Promise<number> {
  const args = [...flags, "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH },
  });
  return Number(stdout);
}

it("V8's room for young objects stays at half of what it would grow to", async () => {
  expect(await roomOf()).toBeLessThan(24);
});

it("V8's room for young objects grows as far as its operator says", async () => {
  expect(await roomOf("--max-semi-space-size=16")).toBeGreaterThan(24);
});
