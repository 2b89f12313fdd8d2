/** What a core shows to who may only ask it: whether it answers, takes the key and offers what an import may need. It changes nothing. */

import { runErrorFrom } from "../calls/core-errors.js";
import { CoreFailure, unlessNotOffered } from "../core/core-failure.js";
import type { Capabilities, Core } from "../core/core.js";
import { optionName } from "../errors/option-name.js";
import type { RunErrorCode } from "../errors/run-error.js";
import type { Field } from "../events/lines/lines.js";
import { askOnly } from "./asked-core.js";
import type { AskableCore } from "./options.js";
import { NO_USER } from "./preflight.js";

/** One thing that was looked at. */
export type Check = Field<"doctor", "checks">[number] & { readonly code: RunErrorCode | null };

/** What an import may ask beside lookups. */
const QUESTIONS: readonly (readonly [string, string, (core: Core) => Promise<unknown>])[] = [
  ["lookups", "users are found by their contacts", (core) => core.findUsers(NO_USER)],
  ["users_by_id", "users are found by their ids", (core) => core.getUser(UNKNOWN_ID)],
  ["id_mapping", "users can keep the vendor's ids", (core) => core.findMapping(UNKNOWN_ID)],
  ["lists", "users are listed, which reconcile uses", (core) => core.listUsers({ limit: 1 })],
  ["counts", "users are counted, which reconcile uses", (core) => core.countUsers()],
];

/** An id that no user has. */
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/** What only a write shows. */
const UNKNOWN: readonly (readonly [string, string])[] = [
  [
    "signer_key",
    `whether the core holds the vendor's signer key; prove ${optionName("--core")} shows it`,
  ],
  [
    "accepted_hashes",
    `which hashes the core takes; a pilot (import ${optionName("--limit")}) shows it`,
  ],
  ["sign_in", `whether the core offers a sign-in; prove ${optionName("--core")} shows it`],
];

/** Asks one question after the other. Where the core can't be asked or refuses the key, no further one is. */
export async function examineCore(given: AskableCore): Promise<Check[]> {
  const core = askOnly(given);
  const checks: Check[] = [];
  const unknown = UNKNOWN.map(([name, says]): Check => ({ ...fine(name, says), state: "unknown" }));
  try {
    await core.probe();
    for (const [name, says, ask] of QUESTIONS)
      checks.push(await offered(name, says, () => ask(core)));
    const isNone = checks.every(({ state }) => state === "absent");
    const says =
      core.target.kind === "remote" ? "it answers as a core and takes the key" : "it opens";
    checks.unshift(isNone ? NO_CORE : fine("core", says));
    if (!isNone) checks.push(...partChecks(await core.capabilities()));
  } catch (error) {
    if (!(error instanceof CoreFailure)) throw error;
    const failure = runErrorFrom(error, "probe");
    const { code = "core_unreachable", message = error.message, hint = "" } = failure ?? {};
    return [{ name: "core", state: "failed", says: message, code, hint }, ...unknown];
  }
  return [...checks, ...unknown];
}

/** The parts of an account that the core has a place for. */
function partChecks(offered: Capabilities): Check[] {
  const parts: readonly (readonly [string, string, boolean | null])[] = [
    ["email_verification", "whether an email is verified is kept", offered.emailVerification],
    ["metadata", "metadata of users is kept", offered.metadata],
    ["roles", "roles of users are kept", offered.roles !== null],
    ["third_party", "social accounts are kept", offered.thirdParty],
    ["account_linking", "users may have several ways in", offered.accountLinking],
    ["totp", "second factors are kept", offered.totp],
    [
      "bulk_import",
      `users go into a queue, which ${optionName("--bulk")} uses`,
      offered.bulkImport,
    ],
  ];
  return parts.map(([name, says, isOffered]) => {
    const state = isOffered === null ? "unknown" : isOffered ? "ok" : "absent";
    return { ...fine(name, says), state };
  });
}

/** A web server that knows none of the paths, as far as reading shows. */
const NO_CORE: Check = {
  name: "core",
  state: "failed",
  says: "it offers nothing that can be asked: it is no core, or one with the calls of an import alone",
  code: "core_incompatible",
  hint: `Check the base URL given by ${optionName("--core")}: scheme, port and path.`,
};

function fine(name: string, says: string): Check {
  return { name, state: "ok", says, code: null, hint: "" };
}

/** @throws CoreFailure where the core can't be asked */
async function offered(name: string, says: string, ask: () => Promise<unknown>): Promise<Check> {
  const isOffered = await unlessNotOffered(() => ask().then(() => true), false);
  return { ...fine(name, says), state: isOffered ? "ok" : "absent" };
}
