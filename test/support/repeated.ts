/** How often what is costly is done: a few times in `npm test`, in full in `npm run test:system`, and as often as a variable says in both. */

import { readFileSync } from "node:fs";

/** Set by vitest.full.config.ts. */
export const IN_FULL = "AUTH_MIGRATE_IN_FULL";

export interface Counts {
  /** The variable that raises or lowers it. */
  readonly variable: string;
  readonly few: number;
  readonly full: number;
}

/** Whether everything is done, also what takes long and says little beside what is done always. */
export const inFull = process.env[IN_FULL] !== undefined;

export function repeated({ variable, few, full }: Counts): number {
  return Number(process.env[variable] ?? (inFull ? full : few));
}

/** How often a property is tried: a quarter of it in `npm test`. */
export function runs(full: number): number {
  return repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: Math.ceil(full / 4), full });
}

/** The first few of cases that are alike; all of them in full. */
export function tried<Case>(cases: readonly Case[], few: number): readonly Case[] {
  return inFull ? cases : cases.slice(0, few);
}

/** Whether a test file does in full what it does a few times otherwise: among these are all that take long. */
export function doesRepeat(file: string): boolean {
  return readFileSync(file, "utf8").includes('support/repeated.js"');
}
