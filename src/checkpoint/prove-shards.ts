/** Proves that the parts of one export were all imported, each once, to its end and into the same core; or says what speaks against it. That each row is in one part, `split` has seen to. Pure. */

import type { Field } from "../events/lines/lines.js";
import {
  type Manifest,
  type ManifestPart,
  splitDigest,
  type NotedPart,
  shardText,
} from "../events/shard.js";
import type { CoreBinding } from "./checkpoint.js";

/** What a checkpoint says about its shard. */
export interface ShardFacts {
  readonly checkpoint: string;
  /** Null where no part was imported with it. */
  readonly part: NotedPart | null;
  /** Null where no user was sent. */
  readonly core: CoreBinding | null;
  readonly running: boolean;
}

/** What speaks against the shards being one whole import. */
export type ShardFlawCode =
  | "shard_missing"
  | "shard_running"
  | "shard_unfinished"
  | "shard_failures"
  | "shard_twice"
  | "other_core"
  | "other_export"
  | "rows_differ";

/** What all shards together came to. */
export interface ShardsProof extends NonNullable<Field<"report", "shards">> {
  readonly flaws: readonly ShardFlaw[];
}

/** One thing that speaks against it. Holds no contact and no hash. */
export interface ShardFlaw extends Flaw {
  readonly code: ShardFlawCode;
}

type Flaw = NonNullable<Field<"report", "shards">>["flaws"][number];

/** @param facts of every checkpoint that is there */
export function proveShards(manifest: Manifest, facts: readonly ShardFacts[]): ShardsProof {
  const { shards, rows, parts } = manifest;
  const split = splitDigest(manifest);
  const isOurs = ({ part }: ShardFacts): boolean => part?.split === split;
  const ours = facts.filter(isOurs);
  const ofPart = (shard: number): ShardFacts[] => ours.filter(({ part }) => part?.index === shard);
  const flaws = [
    ...facts.filter((one) => !isOurs(one)).map(stranger),
    ...parts.flatMap((part) => flawsOf(part, shards, ofPart(part.shard))),
    ...otherCores(ours),
  ];
  const ended = parts.flatMap(({ shard }) => ofPart(shard)[0]?.part?.end?.read ?? []);
  const ownRows = ended.reduce((sum, read) => sum + read, 0);
  return { proved: flaws.length === 0, shards, rows, ownRows, flaws };
}

function stranger({ checkpoint, part }: ShardFacts): ShardFlaw {
  const what = part === null ? "of no part" : "of a part of another export, or of another split";
  return {
    code: "other_export",
    shard: part?.index ?? null,
    checkpoint,
    runAgain: false,
    message: `${checkpoint} is ${what}: name the checkpoints that the parts of this manifest were imported with.`,
  };
}

/** What is wrong with one part, given the checkpoints that say they are of it. */
function flawsOf(
  { shard, rows }: ManifestPart,
  count: number,
  [first, ...others]: readonly ShardFacts[],
): ShardFlaw[] {
  const name = `Shard ${shardText({ index: shard, count })}`;
  const flaw = (code: ShardFlawCode, runAgain: boolean, message: string): ShardFlaw => ({
    code,
    shard,
    checkpoint: first?.checkpoint ?? null,
    message,
    runAgain,
  });
  const again = (code: ShardFlawCode, message: string): ShardFlaw[] => [flaw(code, true, message)];
  if (first === undefined) {
    const way = "run it, or name the checkpoint that it has";
    return again("shard_missing", `${name} has no checkpoint among these: ${way}.`);
  }
  const twice = others.map(({ checkpoint }) => {
    const which = `${first.checkpoint} and ${checkpoint} are both of shard ${shard}`;
    return flaw("shard_twice", false, `${which}: name the one that its runs went on from.`);
  });
  const end = first.part?.end ?? null;
  if (twice.length > 0) return twice;
  if (first.running) return again("shard_running", `${name} is running: ask again when it ends.`);
  if (end === null) {
    return again("shard_unfinished", `${name} didn't come to its end: run it again.`);
  }
  if (end.read !== rows) {
    const counts = `${name} has read ${end.read} rows, and its part has ${rows}`;
    const way = "import it by the options that split the export";
    return [flaw("rows_differ", false, `${counts}: ${way}.`)];
  }
  if (end.failed === 0) return [];
  return again("shard_failures", `${name} didn't reach ${end.failed} of its users: run it again.`);
}

function otherCores(facts: readonly ShardFacts[]): ShardFlaw[] {
  const [first, ...others] = facts.filter(({ core }) => core !== null);
  return others
    .filter(({ core }) => coreKey(core) !== coreKey(first?.core ?? null))
    .map(({ checkpoint, part }) => ({
      code: "other_core",
      shard: part?.index ?? null,
      checkpoint,
      runAgain: false,
      message: `${checkpoint} belongs to another core than ${first?.checkpoint}: these are not one import.`,
    }));
}

function coreKey(core: CoreBinding | null): string {
  if (core === null) return "";
  return core.kind === "embedded" ? `embedded ${core.coreId}` : `remote ${core.url}`;
}
