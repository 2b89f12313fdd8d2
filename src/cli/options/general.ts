/** Options of how the tool speaks, which every command takes, and those that name checkpoints. */

import { RunError } from "../../errors/run-error.js";
import type { Manifest, Shard } from "../../events/shard.js";
import { DEFAULT_CONFIG } from "../config-file.js";
import { readManifest } from "../shard-files.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import { text } from "./types.js";

/** In the working directory; a part's has the part in its name. */
export const DEFAULT_CHECKPOINT = "auth-migrate.checkpoint";

/** Of every command. */
export const general = {
  json: {
    flags: "--json",
    group: "Output and questions",
    help: "make stdout newline-delimited JSON",
    docs: "([json.md](json.md))",
  },
  quiet: {
    flags: "--quiet",
    group: "Output and questions",
    help: "print the result and errors alone; of an import or validate its first line and what is to be done",
  },
  input: {
    flags: "--no-input",
    group: "Output and questions",
    help: "never ask a question",
  },
  config: {
    flags: "--config <file>",
    group: "Output and questions",
    help: "configuration file",
    type: text,
    defaultText: `${DEFAULT_CONFIG}, if there`,
  },
} as const satisfies OptionSpecs;

export type GeneralValues = ValuesOf<typeof general>;

/** Of a command that reads one checkpoint. */
export const checkpoint = {
  checkpoint: {
    flags: "--checkpoint <file>",
    help: "the file with the import's progress",
    type: text,
    default: DEFAULT_CHECKPOINT,
  },
} as const satisfies OptionSpecs;

/** Of a command that reads one checkpoint, or those of all parts of an export. */
export const checkpoints = {
  checkpoint: {
    flags: "--checkpoint <file>",
    help: "the import's checkpoint; with --manifest repeated, those of all parts",
    type: text,
    repeated: true,
    defaultText: DEFAULT_CHECKPOINT,
  },
  manifest: {
    flags: "--manifest <file>",
    group: "A part of a split export",
    help: "prove by it that the parts of an export were all imported",
    docs: "([shards.md](shards.md#the-proof))",
    type: text,
  },
} as const satisfies OptionSpecs;

type CheckpointsValues = ValuesOf<typeof checkpoints>;

/** The checkpoints that a command is to read. */
export interface GivenCheckpoints {
  readonly checkpoints: readonly [string, ...string[]];
  /** Null for one checkpoint of a whole export. */
  readonly manifest: Manifest | null;
}

/** The default name of a part's checkpoint. */
function partCheckpoint({ index, count }: Shard): string {
  return DEFAULT_CHECKPOINT.replace(/\.\w+$/, `.shard-${index}-of-${count}$&`);
}

/** The checkpoint of a part, unless another one is named. */
export function checkpointOf(
  { checkpoint: named }: { readonly checkpoint: string },
  shard: Shard | undefined,
): string {
  return shard !== undefined && named === DEFAULT_CHECKPOINT ? partCheckpoint(shard) : named;
}

/** @throws RunError `usage` for several checkpoints without a manifest */
export function requireOneExport({ checkpoint, manifest }: CheckpointsValues): void {
  if (manifest !== undefined || checkpoint.length <= 1) return;
  throw new RunError("usage", "Several checkpoints must belong to the parts of one export.", {
    hint: "Name the manifest of these parts, as in --manifest parts/manifest.json, or one checkpoint.",
  });
}

/** @throws RunError as {@link readManifest} */
export function givenCheckpoints(values: CheckpointsValues): GivenCheckpoints {
  const manifest = values.manifest === undefined ? null : readManifest(values.manifest);
  const byDefault = manifest?.parts.map(({ shard }) =>
    partCheckpoint({ index: shard, count: manifest.shards }),
  );
  const named = values.checkpoint.length > 0 ? values.checkpoint : byDefault;
  const [first = DEFAULT_CHECKPOINT, ...others] = named ?? [];
  return { checkpoints: [first, ...others], manifest };
}
