/** Proves that the shards of an import together gave every row of one export exactly one outcome, in exactly one shard and at one core; or says what speaks against it. Pure. */

import type { CoreBinding } from "./checkpoint.js";
import type { RunRecord } from "../events/run-record.js";
import type { ShardReading } from "../events/reading.js";
import { addSums } from "../events/row-sum.js";
import { type Shard, shardText } from "../events/shard.js";

/** What a checkpoint says of its shard. */
export interface ShardFacts {
  readonly checkpoint: string;
  /** Null for the checkpoint of a run that took all users. */
  readonly shard: Shard | null;
  /** Null where nobody was sent. */
  readonly core: CoreBinding | null;
  readonly running: boolean;
  /** Null where the last run didn't come to the end of the export. */
  readonly reading: ShardReading | null;
  readonly lastRun: Pick<RunRecord, "ending" | "read" | "outcomes"> | null;
}

/** What speaks against the shards being one whole import. */
export type ShardFlawCode =
  | "shard_missing"
  | "shard_running"
  | "shard_unfinished"
  | "shard_failures"
  | "not_a_shard"
  | "other_count"
  | "shard_twice"
  | "other_core"
  | "other_export"
  | "rows_differ";

/** One thing that speaks against it. Holds no contact and no hash. */
export interface ShardFlaw {
  readonly code: ShardFlawCode;
  /** The shard's number, where it is known. */
  readonly shard: number | null;
  /** Null where there is none, or it is about all of them. */
  readonly checkpoint: string | null;
  /** What it is and what to do, in a sentence or two. */
  readonly message: string;
  /** Running the shard, or letting it end, is the way out. */
  readonly runAgain: boolean;
}

/** What all shards together came to. */
export interface ShardsProof {
  /** Every row has exactly one outcome in exactly one shard. */
  readonly proved: boolean;
  /** How many shards there are to be. */
  readonly shards: number;
  /** Rows of the export; null where no shard has read it to the end. */
  readonly rows: number | null;
  /** Rows that the shards took, each its own. */
  readonly ownRows: number;
  /** Empty where it is proved. */
  readonly flaws: readonly ShardFlaw[];
}

/**
 * @param facts of every checkpoint that is there, at least one
 * @param missing checkpoints that aren't there
 */
export function proveShards(
  facts: readonly ShardFacts[],
  missing: readonly string[] = [],
): ShardsProof {
  const count = facts.find(({ shard }) => shard !== null)?.shard?.count ?? facts.length;
  const readings = facts.flatMap(({ reading }) => reading ?? []);
  const flaws = [
    ...facts.flatMap((one) => strangers(one, count)),
    ...twice(facts),
    ...absent(facts, count, missing),
    ...facts.flatMap(unfinished),
    ...otherCores(facts),
    ...otherExports(facts),
  ];
  const all = flaws.length > 0 ? flaws : rowsThatDiffer(readings);
  return {
    proved: all.length === 0,
    shards: count,
    rows: readings[0]?.whole.rows ?? null,
    ownRows: readings.reduce((sum, { own }) => sum + own.rows, 0),
    flaws: all,
  };
}

function strangers({ checkpoint, shard }: ShardFacts, count: number): ShardFlaw[] {
  if (shard === null) {
    return [
      flaw(
        "not_a_shard",
        { checkpoint },
        {
          message: `${checkpoint} is the checkpoint of an import that isn't divided: name those of its shards.`,
        },
      ),
    ];
  }
  if (shard.count === count) return [];
  return [
    flaw(
      "other_count",
      { checkpoint, shard },
      {
        message: `${checkpoint} is of shard ${shardText(shard)}, and others are of ${count} shards: users were divided in two ways. Name the checkpoints of one import.`,
      },
    ),
  ];
}

function twice(facts: readonly ShardFacts[]): ShardFlaw[] {
  const seen = new Map<string, string>();
  return facts.flatMap(({ checkpoint, shard }) => {
    if (shard === null) return [];
    const first = seen.get(shardText(shard));
    seen.set(shardText(shard), first ?? checkpoint);
    if (first === undefined) return [];
    return flaw(
      "shard_twice",
      { checkpoint, shard },
      {
        message: `${first} and ${checkpoint} are both of shard ${shardText(shard)}: name the one that its runs went on from.`,
      },
    );
  });
}

function absent(
  facts: readonly ShardFacts[],
  count: number,
  missing: readonly string[],
): ShardFlaw[] {
  const there = new Set(facts.map(({ shard }) => shard?.index));
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return numbers
    .filter((index) => !there.has(index))
    .map((index) => {
      const shard = { index, count };
      const looked = missing.length > 0 ? ` (${missing.length} named are not there)` : "";
      return flaw(
        "shard_missing",
        { shard, runAgain: true },
        {
          message: `Shard ${shardText(shard)} has no checkpoint among these${looked}: run it, or name the checkpoint that it has.`,
        },
      );
    });
}

function unfinished({ checkpoint, shard, running, reading, lastRun }: ShardFacts): ShardFlaw[] {
  if (shard === null) return [];
  const where = { checkpoint, shard, runAgain: true };
  const name = `Shard ${shardText(shard)}`;
  if (running) {
    return [
      flaw("shard_running", where, { message: `${name} is running: ask again when it ends.` }),
    ];
  }
  const outcomes = Object.values(lastRun?.outcomes ?? {}).reduce((sum, one) => sum + one, 0);
  const isWhole = reading !== null && lastRun?.ending === "finished" && lastRun.read === outcomes;
  if (!isWhole) {
    return [
      flaw("shard_unfinished", where, {
        message: `The last run of shard ${shardText(shard)} didn't come to the end of the export: run it again.`,
      }),
    ];
  }
  if (lastRun.outcomes.failed === 0) return [];
  return [
    flaw("shard_failures", where, {
      message: `${name} didn't reach ${lastRun.outcomes.failed} of its users: run it again.`,
    }),
  ];
}

function otherCores(facts: readonly ShardFacts[]): ShardFlaw[] {
  const [first, ...others] = facts.filter(({ core }) => core !== null);
  return others
    .filter(({ core }) => coreKey(core) !== coreKey(first?.core ?? null))
    .map(({ checkpoint, shard }) =>
      flaw(
        "other_core",
        { checkpoint, shard },
        {
          message: `${checkpoint} belongs to another core than ${first?.checkpoint}: these are not one import.`,
        },
      ),
    );
}

function coreKey(core: CoreBinding | null): string {
  if (core === null) return "";
  return core.kind === "embedded" ? `embedded ${core.coreId}` : `remote ${core.url}`;
}

function otherExports(facts: readonly ShardFacts[]): ShardFlaw[] {
  const [first, ...others] = facts.filter(({ reading }) => reading !== null);
  const wholeOf = (one: ShardFacts | undefined): string =>
    `${one?.reading?.whole.rows} ${one?.reading?.whole.sum}`;
  return others
    .filter((one) => wholeOf(one) !== wholeOf(first))
    .map(({ checkpoint, shard }) =>
      flaw(
        "other_export",
        { checkpoint, shard },
        {
          message: `${checkpoint} was made of another export than ${first?.checkpoint}, or read it by other options: run the shards with one export and the same options.`,
        },
      ),
    );
}

/** Only where nothing else is wrong: then it is nobody's fault but ours, or that of a part that was read otherwise than it was split. */
function rowsThatDiffer(readings: readonly ShardReading[]): ShardFlaw[] {
  const [first] = readings;
  const rows = readings.reduce((sum, { own }) => sum + own.rows, 0);
  const sum = addSums(readings.map(({ own }) => own.sum));
  if (first === undefined || (rows === first.whole.rows && sum === first.whole.sum)) return [];
  return [
    flaw(
      "rows_differ",
      {},
      {
        message: `The shards took ${rows} rows of the ${first.whole.rows} that the export has, or not each of them once. Where parts were split, import them by the options that split them; else this is a bug: please report it.`,
      },
    ),
  ];
}

interface Where {
  readonly checkpoint?: string;
  readonly shard?: Shard | null;
  readonly runAgain?: boolean;
}

function flaw(
  code: ShardFlawCode,
  { checkpoint, shard, runAgain = false }: Where,
  { message }: Pick<ShardFlaw, "message">,
): ShardFlaw {
  return {
    ...{ code, message, runAgain },
    shard: shard?.index ?? null,
    checkpoint: checkpoint ?? null,
  };
}
