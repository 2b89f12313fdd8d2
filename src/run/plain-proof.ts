/** Whether known passwords show that hashes are of passwords as they are typed, which no hash shows. The checkpoint keeps of which hashes that is proved: it holds for every file of the same source. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { RunError } from "../errors/run-error.js";
import type { Input } from "../source/inputs.js";
import type { InputFacts } from "../stage/input-facts.js";
import type { ProofResult, ReadingOptions } from "./options.js";

/** Algorithms whose hashes may be of a changed password. */
const BARE: ReadonlySet<string> = new Set(["bcrypt", "argon2"]);

/** Where it is kept, and what keys its digests. */
type PlainKeeper = Pick<Checkpoint, "digester" | "proofNote" | "noteProof">;

/** What a run has read. */
interface Read extends Pick<ReadingOptions, "namespace"> {
  readonly files: readonly InputFacts[];
}

/**
 * Whether all bare hashes that are sent are proved, by this run or by earlier ones. What this one has
 * proved is kept.
 *
 * @param keeper null for a run without a checkpoint
 */
export async function arePlain(
  keeper: PlainKeeper | null,
  fitted: ProofResult["fitted"],
  { files, namespace }: Read,
): Promise<boolean> {
  const note = keeper?.proofNote("plain") ?? "[]";
  // Of our own file: a run before has written it.
  const kept: readonly string[] = JSON.parse(note);
  const proved = new Set(kept);
  const sent: string[] = [];
  const [fits, others] = [new Set<string>(), new Set<string>()];
  for (const { input, algorithms } of files) {
    const bare = [...algorithms].filter((name) => BARE.has(name));
    const scope = bare.length === 0 ? "" : await scopeOf(input, namespace);
    for (const name of bare) {
      const text = JSON.stringify([name, scope]);
      const hashes = keeper?.digester.part(text) ?? text;
      sent.push(hashes);
      const has = fitted.some(
        ({ algorithm, row }) => algorithm === name && row.file === input.path,
      );
      (has ? fits : others).add(hashes);
    }
  }
  // Of several files in one run each may come from another application, whatever their columns.
  for (const hashes of fits) if (!others.has(hashes)) proved.add(hashes);
  if (proved.size > kept.length) keeper?.noteProof("plain", JSON.stringify([...proved]));
  return sent.length > 0 && sent.every((hashes) => proved.has(hashes));
}

/** Fields of a mapping by which one table is told from another. */
const TELLING = /^(?:id|email|hash):.*(?:\n[ -].*)*/gm;

/** Whose hashes an input's are: another file of the same source, as a newer export, has the same. Of a table or document of no known system its fields say whether it is that. */
async function scopeOf(
  { source, vendor, inferred }: Pick<Input, "source" | "vendor" | "inferred">,
  namespace: string,
): Promise<string> {
  const mapping = await inferred?.().catch((error: unknown) => {
    if (error instanceof RunError) return "";
    throw error;
  });
  return JSON.stringify([source.name, vendor, namespace, mapping?.match(TELLING)]);
}
