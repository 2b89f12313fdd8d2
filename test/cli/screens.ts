/** Screens: what somebody sees of a command, with what differs from run to run replaced, to be kept as snapshots. */

import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { HASH_CONFIG, PROBLEMS, USERS } from "./support.js";

/** Where the snapshots are, one file a screen. */
const FOLDER = join(import.meta.dirname, "screens");

/** What differs from run to run, and what stands for it. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/(^|, )(?:\d+ (?:h|min) )?\d+(?:\.\d)? (?:min|s)(?=$|;)/gm, "$10.1 s"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:3567"],
];

/** Gives a folder the demo's files under their short names. */
export function giveDemo(folder: string): void {
  cpSync(USERS, join(folder, "users.csv"));
  cpSync(PROBLEMS, join(folder, "problems.csv"));
  cpSync(dirname(HASH_CONFIG), folder, {
    recursive: true,
    filter: (path) => !path.endsWith(".js"),
  });
}

/** Compares a screen with its snapshot. */
export async function expectScreen(name: string, screen: string): Promise<void> {
  const steady = VOLATILE.reduce((text, [what, instead]) => text.replace(what, instead), screen);
  await expect(`${steady.trimEnd()}\n`).toMatchFileSnapshot(join(FOLDER, `${name}.txt`));
}

/** Checks that nothing is wider than the screen but a word that can't be broken. */
export function expectToFit(screen: string, columns: number): void {
  const wide = screen
    .split("\n")
    .filter((line) => [...line].length > columns && line.trim().replace(/ \\$/, "").includes(" "));
  expect(wide).toEqual([]);
}
