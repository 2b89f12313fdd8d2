/** `auth-migrate split`: writes a part of the export for each shard, and the manifest that a shard's import checks its part by. */

import { join } from "node:path";
import { RunError } from "../../errors/run-error.js";
import { nameOf } from "../../source/input-bytes.js";
import { type Manifest, MANIFEST_NAME, partName } from "../../events/shard.js";
import { splitUsers } from "../../shards/split-users.js";
import { recognizedText } from "../../report/input-text.js";
import { splitText } from "../../report/shards-text.js";
import type { ExitCode } from "../exit-codes.js";
import { requireApart, withInputs } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { createReporter } from "../reporter.js";
import { commandLines } from "../../report/layout.js";
import { partImportCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import type { OptionSpecs, ValuesOf } from "../options/option.js";
import {
  inputOptions,
  planning,
  policyOf,
  readingMapping,
  requireReadable,
} from "../options/reading.js";
import { partCount, text } from "../options/types.js";
import { verb } from "../verb.js";

/** What decides whose row comes first is as in the import of the parts. */
const options = {
  ...planning,
  shards: {
    flags: "--shards <n>",
    help: "how many parts",
    type: partCount,
    variable: false,
  },
  outDir: {
    flags: "--out-dir <folder>",
    help: "a new folder for the parts and their manifest",
    type: text,
    variable: false,
  },
} as const satisfies OptionSpecs;

export const splitVerb = verb({
  options,
  examples: [
    "auth-migrate split users.csv --shards 8 --out-dir parts",
    "auth-migrate split users.json --from auth0 --shards 20 --out-dir /scratch/parts",
  ],
  check(files, values, { io }) {
    const { outDir } = wantedParts(values);
    requireReadable(files, values, io);
    requireApart(files, { "--out-dir": outDir });
  },
  async run(files, values, terminal) {
    const { shards, outDir } = wantedParts(values);
    const keys = await loadKeys(values, terminal);
    return withInputs(files, inputOptions(values), terminal, async (inputs): Promise<ExitCode> => {
      for (const line of recognizedText(inputs, nameOf)) terminal.note(line);
      const { signal } = watchSignals(terminal, "Stopping.");
      const manifest = await splitUsers({
        ...keys,
        inputs,
        shards,
        namespace: values.namespace,
        policy: policyOf(values, keys),
        directory: outDir,
        from: values.from ?? readingMapping(values) ?? null,
        signal,
        onEvent: createReporter(terminal).onEvent,
      });
      const path = join(outDir, MANIFEST_NAME);
      const part = join(outDir, partName(1));
      const first = partImportCommand(options, part, terminal.io.argv);
      const ended = { type: "summary", command: "split", ...toldOf(manifest, path) } as const;
      terminal.answer(ended, () => splitText(manifest, path));
      if (terminal.outputMode.json) return 0;
      for (const line of commandLines(first, terminal.resultColumns)) terminal.verbatim(line);
      return 0;
    });
  },
});

/** @throws RunError `usage` where one of the two isn't given */
function wantedParts({ shards, outDir }: Pick<ValuesOf<typeof options>, "shards" | "outDir">) {
  if (shards !== undefined && outDir !== undefined) return { shards, outDir };
  throw new RunError("usage", "split needs to know how many parts there are to be, and where.", {
    hint: "As in: auth-migrate split users.csv --shards 8 --out-dir parts",
  });
}

/** The manifest itself has the digests. */
function toldOf({ shards, rows, from, parts }: Manifest, manifest: string) {
  const sizes = parts.map(({ shard, rows: own, files }) => ({
    shard,
    rows: own,
    files: files.map(({ name }) => name),
  }));
  return { manifest, shards, rows, from, parts: sizes, exitCode: 0 as const };
}
