/** Core failures that are the run's fault and not a user's, in the operator's words. */

import type { CoreFailure, CoreFailureKind } from "../core/core-failure.js";
import { DIALECTS } from "../core/dialect.js";
import { optionName } from "../errors/option-name.js";
import { RunError, type RunErrorCode } from "../errors/run-error.js";
import type { CallName } from "../events/events.js";
import { durationText } from "../events/duration.js";

const AGAIN = "run the same command again";
const RETRY = `then ${AGAIN}`;
const RESUME = `${RETRY}: an import goes on where it stopped`;

/** What a failure comes to that stops the run; without a message it is the failure's own. */
interface Meaning {
  readonly code: RunErrorCode;
  readonly message?: string;
  /** @param resume what to do then, to follow a comma */
  readonly hint: (failure: CoreFailure, resume: string) => string;
}

const MEANINGS: Partial<Record<CoreFailureKind, Meaning>> = {
  key_refused: {
    code: "key_refused",
    hint: (_, resume) =>
      `Give the key that the core is configured with, by ${optionName("--api-key-file", "or AUTH_MIGRATE_API_KEY")}, ${resume}.`,
  },
  // The three ways are interface.md 4.5's, which knows the field by another name than SuperTokens.
  signer_key_missing: {
    code: "signer_key_missing",
    message: "The core has no signer key, so it can't verify vendor scrypt hashes.",
    hint: ({ field }, resume) => {
      const name = field ?? DIALECTS.interface.signerKeyField;
      // The embedded core names none: it is configured from here.
      const here =
        field === undefined ? ` For the embedded core give ${optionName("--hash-config")}.` : "";
      return `Set ${name} at the core (in its dashboard, its configuration file, as ${name.toUpperCase()}, or for auth-migrate serve by --hash-config), ${resume}.${here}`;
    },
  },
  forbidden: {
    code: "core_refuses_everything",
    hint: (_, resume) =>
      `The answer isn't about the key. Look at the core's list of allowed addresses, and at a gateway or firewall before it, ${resume}.`,
  },
  tenant_unknown: {
    code: "core_incompatible",
    hint: () =>
      "End the core's URL in the app and the tenant as the core lists them, as in https://core.example.com/appid-public/t1; without them it is the public app and tenant.",
  },
  disabled: {
    code: "core_feature_missing",
    hint: (_, resume) => `Enable it at the core or in its tenant's settings, ${resume}.`,
  },
  incompatible: {
    code: "core_incompatible",
    hint: ({ hint }) =>
      hint ?? `Check the base URL given by ${optionName("--core")}: scheme, port and path.`,
  },
  disk: { code: "disk", hint: (_, resume) => `Make room on the core's disk, ${resume}.` },
  damaged: {
    code: "data_unusable",
    hint: () =>
      `Bring the data file back from a backup and run the same command again, or start anew with another one (${optionName("--data")}) and a checkpoint of its own (${optionName("--checkpoint", "FILE")}).`,
  },
};

/** The calls beyond interface.md that a core may well do without. */
const WITHOUT: Partial<Record<CallName | "probe", Meaning>> = {
  lookup: {
    code: "core_without_lookups",
    message:
      "This core offers no look-ups, so users who are there already can't be told from new ones.",
    hint: () =>
      `If the core has no users yet, say so with ${optionName("--assume-empty")}; to replace the hashes of users who are there, use ${optionName("--on-existing")} update (without ${optionName("--keep-ids")}).`,
  },
  map: {
    code: "core_feature_missing",
    message: "This core can't map user ids, so users can't keep the vendor's ids.",
    hint: () =>
      `Run without ${optionName("--keep-ids")}; users then have the core's ids, and the application's data needs the new ones.`,
  },
};

const UNREACHABLE: Meaning = {
  code: "core_unreachable",
  hint: ({ hint }) =>
    `${hint ?? `Check the URL given by ${optionName("--core")} and that the core runs.`} Then ${AGAIN}.`,
};

/**
 * @param call the call that failed, or `probe` for the first contact
 * @returns the error that stops the run, or null where the failure is one user's, or may pass
 */
export function runErrorFrom(failure: CoreFailure, call: CallName | "probe"): RunError | null {
  const meaning = meaningOf(failure, call);
  if (meaning === null) return null;
  const { code, message = sentence(failure), hint } = meaning;
  // At the first contact no run has begun. Later calls may be those of a dry run or a comparison as well.
  const resume = call === "probe" ? RETRY : RESUME;
  return new RunError(code, message, { hint: hint(failure, resume), cause: failure });
}

function meaningOf({ kind }: CoreFailure, call: CallName | "probe"): Meaning | null {
  // What a core doesn't keep is told of each user.
  if (call === "part" && (kind === "disabled" || kind === "not_offered")) return null;
  if (kind === "unreachable") return call === "probe" ? UNREACHABLE : null;
  const meaning =
    kind === "not_offered" ? (WITHOUT[call] ?? MEANINGS.incompatible) : MEANINGS[kind];
  return meaning ?? null;
}

/** Core failures are written to follow a colon. */
function sentence({ message }: CoreFailure): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

/** So many equal refusals, or failures of the core's own, in a row are the run's fault, not the users'. */
const MOST_IN_A_ROW = 100;

/** What a hundred failures in a row say about the core. */
const FAILURE_OF_ALL: Partial<Record<CoreFailureKind, (failure: CoreFailure) => RunError>> = {
  refused: refusesEverything,
  broken: failsEverything,
};

/** Calls that failed for good, one behind the other; a lookup that goes well says nothing of the imports. */
export class FailuresInARow {
  readonly #byCall = new Map<CallName, { readonly reason: string; readonly count: number }>();

  /** @throws RunError where a hundred in a row failed for one reason */
  add(name: CallName, failure: CoreFailure): void {
    const runErrorOf = FAILURE_OF_ALL[failure.kind];
    if (runErrorOf === undefined) return;
    const reason = failure.kind === "refused" ? failure.message : failure.kind;
    const last = this.#byCall.get(name);
    const count = last?.reason === reason ? last.count + 1 : 1;
    if (count >= MOST_IN_A_ROW) throw runErrorOf(failure);
    this.#byCall.set(name, { reason, count });
  }

  /** A call went well. */
  end(name: CallName): void {
    if (this.#byCall.size > 0) this.#byCall.delete(name);
  }
}

/** The error that ends a run in which the core refuses every user alike. */
export function refusesEverything(cause: CoreFailure): RunError {
  return new RunError(
    "core_refuses_everything",
    `The core refused a hundred users in a row for the same reason: ${cause.message}`,
    {
      hint: `Look into the core's log and configuration, ${RESUME}.`,
      cause,
    },
  );
}

/** A failure of the core's own at every call. */
function failsEverything(cause: CoreFailure): RunError {
  return new RunError("outage", `The core failed at a hundred calls in a row: ${cause.message}`, {
    hint: `Look into the core's log and mend it, ${RESUME}.`,
    cause,
  });
}

/** No call was answered for as long as the operator waits. */
export function outage(cause: CoreFailure, budgetMs: number): RunError {
  const budget = durationText(budgetMs);
  return new RunError("outage", `The core has answered no call for ${budget}: ${cause.message}`, {
    hint: `${cause.hint ?? "Bring the core back."} Then ${AGAIN}: an import goes on where it stopped.`,
    cause,
  });
}

/** The core asks for a wait that would outlast what the operator waits. */
export function waitTooLong(cause: CoreFailure, waitMs: number, budgetMs: number): RunError {
  return new RunError(
    "outage",
    `The core asks to wait for ${durationText(waitMs)}, which is more than is left of the ${durationText(budgetMs)} that a run waits: ${cause.message}`,
    {
      hint: `Wait as long as it asks, ${RESUME}.`,
      cause,
    },
  );
}
