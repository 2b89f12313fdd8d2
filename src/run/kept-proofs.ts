/** What runs have proved, as the checkpoint keeps it for later ones by digests of what it holds for: vendor scrypt hashes by the signer key and the parameters, bare hashes by their source. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { Tally } from "../events/tally.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { InputFacts } from "../stage/input-facts.js";
import type { Inspection } from "../stage/inspection.js";
import type { EarlierProof, FittedHash, ReadingOptions } from "./options.js";

/** Where it is kept, and what keys its digests. */
export type ProofKeeper = Pick<Checkpoint, "digester" | "proofNote" | "noteProof" | "settle">;

interface Kept {
  /** By what a core's vendor scrypt hashes are proved, as digests; null where the run wasn't given one. */
  readonly key?: {
    /** Of the cost and the separator; hashes that are whole have their own. */
    readonly parameters: string | null;
    /** Of the signer key, which a remote core needn't be given here. */
    readonly key: string | null;
  };
  /** Of whose bare hashes known passwords have fitted; true where the core has shown it as well. */
  readonly plain?: Readonly<Record<string, boolean>>;
  /** Whose bare hashes each file of all runs has. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/** What a run's hashes are made and verified by. */
type Made = Pick<ReadingOptions, "hashConfig" | "signerKeys">;

export function keptIn(keeper: ProofKeeper | null): Kept {
  // Of our own file: a run before has written it.
  return JSON.parse(keeper?.proofNote() ?? "{}");
}

/** Whether an earlier run has proved the key and parameters of this one, or which of them is another; null where none has proved any. */
export function earlierKey(keeper: ProofKeeper | null, made: Made): EarlierProof["signerKey"] {
  const { key: kept } = keptIn(keeper);
  if (keeper === null || kept === undefined) return null;
  const own = digestsOf(made, keeper);
  if (own.key !== null && kept.key !== null && own.key !== kept.key) return "signer key";
  const isOther = own.parameters !== null && own.parameters !== kept.parameters;
  return isOther ? "hash parameters" : "same";
}

/**
 * Whether the vendor scrypt hashes of a run are proved, by the run itself or by an earlier one.
 *
 * @param isProvedNow whether a user with such a hash was proved in this run
 * @throws RunError `proof_missing` where an earlier run has proved another key or other parameters:
 *   the one or the other locks its users out
 */
export function isKeyProved(
  isProvedNow: boolean,
  earlier: EarlierProof["signerKey"],
  { algorithms }: Pick<Inspection, "algorithms">,
): boolean {
  const hasScrypt = (algorithms.vendor_scrypt ?? 0) > 0;
  const other = isProvedNow || !hasScrypt ? null : otherKey(earlier);
  if (other !== null) throw other;
  return isProvedNow || earlier !== null;
}

/** That an earlier run has proved another one; null where none has. */
export function otherKey(other: EarlierProof["signerKey"]): RunError | null {
  if (other === null || other === "same") return null;
  const is = other === "signer key" ? "is" : "are";
  return new RunError("proof_missing", `The ${other} ${is} not what an earlier run has proved.`, {
    hint: `Give what was proved: one of the two locks its users out. Where this is the right one, prove it by a user with such a hash, with ${optionName("--prove", "FILE")}. The users of another account of the vendor go to a core of their own.`,
  });
}

/** The finding of a run whose vendor scrypt hashes nothing proves; those of users who were at the core before aren't sent. */
export function unprovedFindings(isProved: boolean, tally: Tally): Finding[] {
  const { ready, outcomes } = tally;
  const { vendor_scrypt: hashes = 0 } = tally.counts().algorithms;
  const brought = ready.import + ready.passwordless + ready.thirdparty - outcomes.existed;
  const users = Math.min(hashes, brought);
  return isProved || users <= 0 ? [] : [finding("unproved", { count: users, rows: [] })];
}

function digestsOf({ hashConfig, signerKeys: { key } }: Made, { digester }: ProofKeeper) {
  const { signerKey: _, ...parameters } = hashConfig ?? {};
  const text = JSON.stringify(Object.entries(parameters).toSorted());
  return {
    parameters: hashConfig === null ? null : digester.part(text),
    key: key === null ? null : digester.part(Buffer.from(key, "base64").toString("base64")),
  };
}

/** Hashes of one file that may be of a changed password, which no hash shows. */
export interface BareHashes {
  readonly file: string;
  readonly algorithm: HashAlgorithm;
  /** The digest of whose they are: another file of the same source, as a newer export, has the same. */
  readonly scope: string;
}

/** Algorithms of such hashes. */
const BARE: ReadonlySet<HashAlgorithm> = new Set(["bcrypt", "argon2"]);

/** Those that a run sends. @param keeper null for a run without a checkpoint */
export async function bareHashes(
  keeper: ProofKeeper | null,
  files: readonly InputFacts[],
  namespace: string,
): Promise<readonly BareHashes[]> {
  const found: BareHashes[] = [];
  // One file of a run that keeps nothing needn't be told from others.
  const isAlone = keeper === null && files.length === 1;
  for (const { input, algorithms } of files) {
    const bare = [...algorithms].filter((algorithm) => BARE.has(algorithm));
    const fields = bare.length === 0 || isAlone ? null : ((await input.telling?.()) ?? null);
    for (const algorithm of bare) {
      const whose = [algorithm, input.source.name, input.vendor, namespace, fields];
      const text = JSON.stringify(whose);
      found.push({ file: input.path, algorithm, scope: keeper?.digester.part(text) ?? text });
    }
  }
  return found;
}

/** What known passwords of one run have shown on this machine. */
export interface Shown {
  /** That the signer key is right. */
  readonly isKey: boolean;
  /** The scopes of bare hashes that they fit. */
  readonly fits: readonly string[];
  readonly bare: readonly BareHashes[];
}

/** Of several files in one run each may come from another application, whatever their columns. */
export function shownBy(fitted: readonly FittedHash[], bare: readonly BareHashes[]): Shown {
  const has = ({ algorithm, file }: BareHashes): boolean =>
    fitted.some((one) => one.algorithm === algorithm && one.row.file === file);
  const open = new Set(bare.flatMap((one) => (has(one) ? [] : one.scope)));
  return {
    isKey: fitted.some(({ algorithm }) => algorithm === "vendor_scrypt"),
    fits: bare.flatMap(({ scope }) => (open.has(scope) ? [] : scope)),
    bare,
  };
}

/**
 * Keeps what a run has proved. What no hash shows is settled by it for users of earlier runs as well.
 *
 * @param isAtCore whether the core itself has shown it, which one in this process needn't
 */
export async function keepProof(
  keeper: ProofKeeper,
  made: Made,
  { isKey, fits, bare, isAtCore }: Shown & { readonly isAtCore: boolean },
): Promise<void> {
  const kept = keptIn(keeper);
  const plain = { ...kept.plain };
  for (const scope of fits) plain[scope] ||= isAtCore;
  const files = { ...kept.files };
  for (const { file, scope } of bare) files[file] = [...new Set([...(files[file] ?? []), scope])];
  const key = isKey && isAtCore ? { key: digestsOf(made, keeper) } : {};
  keeper.noteProof(JSON.stringify({ ...kept, ...key, plain, files } satisfies Kept));
  if (fits.length === 0) return;
  const settled = Object.keys(files).filter((file) => files[file]?.every((one) => one in plain));
  await keeper.settle("prehash_possible", settled);
}
