/** One shard of an import: which part of an export's users one of several processes takes. It knows no engine and reads no variables. */

import { RunError } from "../errors/run-error.js";

/** Shard `index` of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** As many array tasks as any engine of today starts. */
export const MOST_SHARDS = 10_000;

/**
 * A shard as it is written, `3/8`.
 *
 * @returns null for text that names none
 */
export function parseShard(text: string): Shard | null {
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text);
  if (match === null) return null;
  const shard = { index: Number(match[1]), count: Number(match[2]) };
  return isShard(shard) ? shard : null;
}

/** @throws RunError `usage` for numbers that name no shard */
export function requireShard(shard: Shard): Shard {
  if (isShard(shard)) return shard;
  throw new RunError("usage", `There is no shard ${shardText(shard)}.`, {
    hint: `Shards are counted from 1, and there are at most ${MOST_SHARDS}: the third of eight is 3/8.`,
  });
}

function isShard({ index, count }: Shard): boolean {
  const areWhole = Number.isInteger(index) && Number.isInteger(count);
  return areWhole && index >= 1 && index <= count && count <= MOST_SHARDS;
}

/** `3/8`, as it is typed and kept. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}
