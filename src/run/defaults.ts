/** What holds where a caller of the library leaves an option out. It decides nothing that could harm: every default is the careful one. */

import type { Core } from "../core/core.js";
import { RunError } from "../errors/run-error.js";
import { createSignerKeys } from "../hash/signer-keys.js";
import type { CoreBinding } from "../checkpoint/checkpoint.js";
import type { AtCore, ImportOptions, ReadingOptions, ValidateOptions } from "./options.js";
import { DEFAULT_POLICY, type Policy } from "../plan/policy.js";

/** Users in flight where no number is given. An embedded core writes one half of its own together, while the other is planned. */
export const DEFAULT_CONCURRENCY = { embedded: 1024, remote: 64 } as const;

/** Beside sign-ins: a core that people use meanwhile must not feel it. */
export const GENTLE_CONCURRENCY = 8;

/** Some of a type's fields made optional. */
export type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** What callers give in another form. */
interface Given {
  /**
   * The vendor's `base64_signer_key`, where the core is known to hold it: hashes that carry another
   * one are refused. That of `hashConfig` by default, and without one the first that a hash carries.
   */
  readonly signerKey?: string | null;
  /** What to do with users who could go either way; what is left out is as in `DEFAULT_POLICY`. */
  readonly policy?: Partial<Policy>;
}

/**
 * The options of a reading. By default: `DEFAULT_POLICY`, no parameters of a vendor's account, the
 * namespace `""`.
 */
export type GivenReading = Optional<
  Omit<ReadingOptions, "policy" | "signerKeys">,
  "hashConfig" | "namespace"
> &
  Given;

/** The options of a dry run that may ask a core, with the same defaults. */
export type GivenValidation = GivenReading & Pick<ValidateOptions, "asks">;

/**
 * The options of an import. By default: those of {@link GivenReading}, the binding of
 * {@link bindingOf}, 64 users in flight at a remote core and 1024 at an embedded one.
 */
export type GivenImport = Optional<
  Omit<ImportOptions, "policy" | "signerKeys">,
  "hashConfig" | "namespace" | "binding" | "concurrency" | "targetMoved"
> &
  Given;

/**
 * @returns the options with every default in its place
 * @throws RunError `usage` for inputs that are none, and a limit by which no user is read
 */
export function completeReading<O extends GivenReading>(given: O): O & ReadingOptions {
  requireThat(Array.isArray(given?.inputs), "inputs", "what openInputs returns");
  const { policy, hashConfig = null, namespace = "", limit } = given;
  requireThat(limit === undefined || isCount(limit), "limit", "1, 2, 3 or more");
  const signerKeys = createSignerKeys(given.signerKey ?? hashConfig?.signerKey ?? null);
  return { ...given, hashConfig, signerKeys, namespace, policy: { ...DEFAULT_POLICY, ...policy } };
}

/**
 * @returns the options with every default in its place
 * @throws RunError `usage` for an option that no import can do with, and as {@link bindingOf}
 */
export function completeImport(given: GivenImport): ImportOptions {
  const opened = "what openEmbeddedCore or connectCore returns";
  requireThat(typeof given?.core?.target === "object", "core", opened);
  const { checkpoint } = given;
  // Of an empty path SQLite makes a database that is gone at the end.
  requireThat(typeof checkpoint === "string" && checkpoint !== "", "checkpoint", "a file's path");
  requireThat(given.vault?.path !== "", "vault", "a file's path, and its key");
  const { core, targetMoved = false } = given;
  const { binding = bindingOf(core) } = given;
  const { concurrency = DEFAULT_CONCURRENCY[core.target.kind], rate } = given;
  requirePace({ concurrency, rate });
  return { ...completeReading(given), binding, concurrency, targetMoved };
}

/** @throws RunError `usage` for a pace by which no call is made, or any number of them */
export function requirePace({ concurrency, rate }: Pick<ImportOptions, "concurrency" | "rate">) {
  requireThat(isCount(concurrency), "concurrency", "1, 2, 3 or more");
  requireThat(rate === undefined || rate > 0, "rate", "calls a second, as 200 or 0.5");
}

/** What {@link AtCore} has a default for. */
export type AtCoreDefaults = "binding" | "targetMoved" | "concurrency";

/**
 * @returns the options with every default in its place: {@link GENTLE_CONCURRENCY}
 * @throws RunError as {@link bindingOf} and {@link requirePace}
 */
export function completeAtCore<O extends Optional<AtCore, AtCoreDefaults>>(given: O): O & AtCore {
  const { binding = bindingOf(given.core), targetMoved = false, rate } = given;
  const { concurrency = GENTLE_CONCURRENCY } = given;
  requirePace({ concurrency, rate });
  return { ...given, binding, targetMoved, concurrency };
}

function isCount(number: number): boolean {
  return Number.isInteger(number) && number > 0;
}

/** A caller's JavaScript may hold to no type. */
function requireThat(isSo: boolean, option: string, wanted: string): void {
  if (isSo) return;
  throw new RunError("usage", `The option ${option} is missing or of another kind.`, {
    hint: `Give ${option} ${wanted}; docs/library.md has an example.`,
  });
}

/** A core that says what a checkpoint may know it by: every one that this library opens. */
export type KnownCore = Pick<Core, "target"> & { readonly coreId?: string };

/**
 * What a checkpoint knows a core by: an embedded one by the id in its data file, a remote one by its
 * URL, which `connectCore` has brought into its one spelling.
 *
 * @throws RunError `usage` for an embedded core that is wrapped in something without its `coreId`
 */
export function bindingOf({ target, coreId }: KnownCore): CoreBinding {
  if (target.kind === "remote") return { kind: "remote", url: target.url };
  if (coreId !== undefined) return { kind: "embedded", coreId };
  throw new RunError("usage", "This embedded core doesn't say its coreId.", {
    hint: "Give the options a binding, or put coreId beside the core's methods.",
  });
}
