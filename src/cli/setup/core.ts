/** Which core the users go into, checked by asking it. It creates no data file and changes nothing at a core. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { CoreFailure } from "../../core/core-failure.js";
import { checkedApiKey, checkedBaseUrl } from "../../core/http/base-url.js";
import { RunError, sentence } from "../../errors/run-error.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { ALL_OFFERED, carriedBy, carriedParts } from "../../plan/carried.js";
import { ask, checkCore } from "../../run/preflight.js";
import { requireCarried } from "../../run/require-carried.js";
import { count } from "../../report/text.js";
import { withCore } from "../core-target.js";
import { DEFAULT_DATA, isUrl } from "../core-choice.js";
import { authorityIn } from "../small-file.js";
import { attempt, type Talk } from "./asker.js";
import { requireWritable } from "./configuration.js";
import { isSettled } from "./setup-options.js";
import type { ChosenCore, CoreAccess, EmbeddedChoice, Known, RemoteChoice, Step } from "./steps.js";

const KINDS = [
  { value: "embedded", label: "An embedded core, to rehearse: a data file here" },
  { value: "remote", label: "A remote core: a URL and an API key" },
] as const;

/** The embedded core has a place for all of them. */
const ALL_PARTS = [...carriedParts(carriedBy(DEFAULT_POLICY, ALL_OFFERED)), "roles"];

const ROLES = [
  { value: "none", label: "Leave them behind" },
  { value: "existing", label: "Bring those that the core has; others stop the import" },
  { value: "create", label: "Bring all, and make those that the core lacks" },
] as const;

const AGAIN = [
  { value: "same", label: "Try the same again" },
  { value: "key", label: "Give another API key" },
  { value: "other", label: "Choose another core" },
] as const;

/** The same key is refused again. */
const KEY_FIRST = [...AGAIN].sort(
  ({ value }, other) => Number(other.value === "key") - Number(value === "key"),
);

const NO_LOOKUPS = [
  { value: "empty", label: "It has no users yet" },
  { value: "update", label: "Replace who is there already" },
  { value: "other", label: "Choose another core" },
] as const;

export const CORE: Step = {
  option: "--core URL or --data FILE",
  isGiven: ({ values: { core, data } }) => (core ?? data) !== undefined,
  async take(known, talk) {
    const { values, access } = known;
    const core = await talk.once<ChosenCore | null>(() => {
      if (values.core !== undefined) return checkRemote(values.core, access.apiKey, access);
      return values.data === undefined ? null : checkData(values.data);
    });
    const chosen = core ?? (await choose(access, talk));
    talk.found(coreLine(chosen));
    return { ...known, core: chosen, roles: await askForRoles(known, chosen, talk) };
  },
  writes({ core, roles }) {
    if (core === undefined) return {};
    const which = roles === undefined ? {} : { roles: roles === "none" ? undefined : roles };
    if (core.kind === "remote") return { core: core.url, ...core.existing, ...which };
    return { data: core.data, ...which };
  },
};

/** Whether the users' roles go along; undefined where there are none, no place for them, or nothing is asked. */
async function askForRoles(
  { look, values, policy }: Known,
  { carried }: ChosenCore,
  talk: Talk,
): Promise<Known["roles"]> {
  // A mapping may give roles by itself; one that setup wrote doesn't.
  const isNamed = policy.mapRole.size > 0;
  if (look === undefined || !carried.includes("roles")) return undefined;
  if (!talk.canAsk || isNamed || isSettled(values)) return undefined;
  // A column of roles that nothing names stays behind, whatever is answered.
  const withRoles = carriedBy({ ...policy, roles: "create" }, ALL_OFFERED);
  const { summary } = await look.dryRun({}, withRoles);
  const { roles: users = 0 } = summary.carriedUsers;
  if (users === 0) return undefined;
  talk.say(`${count(users, "user")} of those looked at ${users === 1 ? "has" : "have"} roles.`);
  const question = { kind: "choose", message: "What becomes of roles?", choices: ROLES } as const;
  return talk.ask(question, (text) => ROLES.find(({ value }) => value === text)?.value);
}

async function choose(access: CoreAccess, talk: Talk): Promise<ChosenCore> {
  const message = "Which core do the users go into?";
  for (;;) {
    const kind = await talk.ask({ kind: "choose", message, choices: KINDS }, String);
    const file = { kind: "text", message: "Its data file", initial: DEFAULT_DATA } as const;
    const core =
      kind === "embedded" ? await talk.ask(file, checkData) : await connect(access, talk);
    if (core !== null) return core;
  }
}

/** Asks for a remote core until it answers; null where another core is wanted. */
async function connect(given: CoreAccess, talk: Talk): Promise<RemoteChoice | null> {
  const askKey = (): Promise<string | null> =>
    talk.ask({ kind: "secret", message: "Its API key (empty if it has none)" }, (text) =>
      text.trim() === "" ? null : checkedApiKey(text),
    );
  let access = given;
  const base = { kind: "text", message: "Its base URL, as in https://core.example.com" } as const;
  const url = await talk.ask(base, (text) => checkedBaseUrl(text, access).url);
  let key = access.apiKey ?? (await askKey());
  for (;;) {
    const core = await talk.once(() => attempt(() => checkRemote(url, key, access)));
    if (!(core instanceof RunError)) return core;
    // Its hint is an import's; what can be done here is chosen next, unless the failure itself says more.
    const hint = core.cause instanceof CoreFailure ? core.cause.hint : undefined;
    const says = `${url}: ${core.message}`;
    talk.warn(hint === undefined ? says : `${sentence(says)} ${hint}`);
    const asked =
      core.code === "core_without_lookups"
        ? { message: "What is to become of users who are there?", choices: NO_LOOKUPS }
        : { message: "And now?", choices: core.code === "key_refused" ? KEY_FIRST : AGAIN };
    const next = await talk.ask({ kind: "choose", ...asked }, String);
    if (next === "other") return null;
    if (next === "key") key = await askKey();
    if (next === "empty") access = { ...access, existing: { assumeEmpty: true } };
    if (next === "update") access = { ...access, existing: { onExisting: "update" } };
  }
}

/**
 * Looks at an embedded core's data file, or at the place where it will be.
 *
 * @throws RunError `usage`, `data_unusable`, `disk`
 */
export async function checkData(data: string): Promise<EmbeddedChoice> {
  if (data === "") {
    throw new RunError("usage", "A data file needs a name.", { hint: `As in ${DEFAULT_DATA}.` });
  }
  if (isUrl(data)) {
    throw new RunError("usage", "Setup looks at a data file, and at no database.", {
      hint: "Leave --data out, and name the database as data in the configuration file that setup writes.",
    });
  }
  const isThere = existsSync(data);
  if (!isThere) requireWritable(dirname(data), "choose another folder for the data file");
  const core = isThere ? openEmbeddedCore({ file: data, mustExist: true }) : null;
  const users = core && (await withCore(core, () => core.countUsers()));
  return { kind: "embedded", data, users, carried: ALL_PARTS };
}

/**
 * Asks a remote core whether it is one and takes the key.
 *
 * @throws RunError `config_invalid`, `core_unreachable`, `key_refused`, `core_incompatible`,
 *   `core_without_lookups`
 */
async function checkRemote(
  given: string,
  apiKey: string | null,
  access: CoreAccess,
): Promise<RemoteChoice> {
  const { allowInsecure, caFile, existing } = access;
  const { url } = checkedBaseUrl(given, access);
  const ca = authorityIn(caFile);
  // Loaded only here, as for an import: the HTTP client takes its time.
  const { connectCore } = await import("../../core/http/client.js");
  const { env } = process;
  const how = { dialect: access.dialect, allowInsecure, env, ca };
  const core = connectCore({ url, apiKey, connections: 1, ...how });
  return withCore(core, async () => {
    await checkCore(core, { ...DEFAULT_POLICY, ...existing });
    const offered = await ask("probe", () => core.capabilities());
    const parts = carriedParts(requireCarried(DEFAULT_POLICY, offered));
    const carried = offered.roles === null ? parts : [...parts, "roles"];
    const joinedByQueue = offered.bulkImport === true && !parts.includes("joined");
    const isKeyTyped = apiKey !== null && apiKey !== access.apiKey;
    const dialect = await core.dialect();
    return { kind: "remote", url, dialect, existing, carried, isKeyTyped, joinedByQueue };
  });
}

/** What people are told of the core. */
export function coreLine(core: ChosenCore): string {
  const parts = core.carried.join(", ");
  const isByQueue = core.kind === "remote" && core.joinedByQueue;
  const joined = isByQueue ? "; joined of users who go by the core's queue (--bulk)" : "";
  const carried = parts === "" ? "" : `\nIt has a place for: ${parts}${joined}.`;
  if (core.kind === "remote") return `${core.url} is a core and takes the key.${carried}`;
  return core.users === null
    ? `The data file ${core.data} will be made by the import.${carried}`
    : `The data file ${core.data} has ${count(core.users, "user")}.${carried}`;
}
