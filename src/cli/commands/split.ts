/** `auth-migrate split`: writes a part of the export for each shard, and the manifest that a shard's import checks its part by. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RunError } from "../../errors/run-error.js";
import { nameOf } from "../../source/input-bytes.js";
import { type Manifest, manifestText } from "../../events/shard.js";
import { splitUsers } from "../../shards/split-users.js";
import { recognizedText } from "../../report/recognized-text.js";
import { splitText } from "../../report/split-text.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { writeNewFile } from "../output-file.js";
import { createProgressDisplay } from "../progress-display.js";
import { loadKeys } from "../secrets.js";
import type { Io } from "../io.js";
import { createTerminal, printable } from "../terminal.js";
import { inputOptions, PlanningValues, readingPolicy, voiceOf } from "../values.js";

const SplitValues = PlanningValues.omit({ passwordExport: true }).extend({
  shards: z.number().optional(),
  outDir: z.string().optional(),
});

/** @param given the options' values as commander parsed them */
export async function runSplit(
  files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const values = SplitValues.parse(given);
  const { shards, outDir } = values;
  const terminal = createTerminal(voiceOf(values), io);
  if (shards === undefined || outDir === undefined) {
    throw new RunError("usage", "split needs to know how many parts there are to be, and where.", {
      hint: "As in: auth-migrate split users.csv --shards 8 --out-dir parts",
    });
  }
  const { hashConfig, signerKey } = await loadKeys(values, terminal);
  return withInputs(files, inputOptions(values), io.stdin, async (inputs): Promise<ExitCode> => {
    for (const line of recognizedText(inputs, nameOf)) terminal.note(line);
    makeFolder(outDir);
    const interruption = watchSignals(terminal, "Stopping.");
    const display = createProgressDisplay(terminal);
    try {
      const manifest = await splitUsers({
        ...{ inputs, shards, hashConfig, signerKey, namespace: values.namespace },
        policy: readingPolicy({ ...values, passwordExport: [] }),
        directory: outDir,
        from: values.from ?? null,
        signal: interruption.signal,
        onEvent: terminal.voice.json ? terminal.event : display.show,
      });
      display.end();
      const path = join(outDir, "manifest.json");
      // Last: until it is there, nobody takes the files for parts.
      writeNewFile(path, [manifestText(manifest)]);
      if (terminal.voice.json) terminal.event({ type: "split", ...toldOf(manifest, path) });
      else for (const line of splitText(manifest, path)) terminal.result(printable(line));
      return 0;
    } finally {
      display.end();
      interruption.dispose();
    }
  });
}

/** The manifest itself has the digests. */
function toldOf({ shards, rows, from, parts }: Manifest, manifest: string) {
  const sizes = parts.map(({ shard, rows: own, files }) => ({
    ...{ shard, rows: own },
    files: files.map(({ name }) => name),
  }));
  return { manifest, shards, rows, from, parts: sizes, exitCode: 0 as const };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new RunError("disk", `The folder ${path} can't be made.`, {
      hint: "Check that the folder above it is writable, or name another one with --out-dir.",
      cause,
    });
  }
}
