/** The walk's third step: which core the users go into, checked by asking it. It creates no data file and changes nothing at a core. */

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { CoreFailure } from "../../core/core-failure.js";
import type { Dialect, DialectName } from "../../core/dialect.js";
import { checkedApiKey, checkedEndpoint, type EndpointOptions } from "../../core/http/endpoint.js";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { DEFAULT_POLICY, type Policy } from "../../plan/policy.js";
import { ALL_OFFERED, carriedBy, carriedParts } from "../../plan/carried.js";
import { ask, checkCore } from "../../run/preflight.js";
import { requireCarried } from "../../run/require-carried.js";
import { count } from "../../report/text.js";
import { withCore } from "../core-target.js";
import { DEFAULT_DATA, isUrl } from "../data-file.js";
import { authorityIn } from "../small-file.js";
import { type Asker, attempt } from "./asker.js";

/** A core that was asked and can be imported into. */
export type ChosenCore = EmbeddedChoice | RemoteChoice;

interface EmbeddedChoice {
  readonly kind: "embedded";
  readonly data: string;
  /** Users who are there already; null where the data file isn't there yet. */
  readonly users: number | null;
  readonly carried: readonly string[];
}

interface RemoteChoice {
  readonly kind: "remote";
  readonly url: string;
  /** As it was named, or as the core itself says. */
  readonly dialect: Dialect;
  /** What the import has to be told of this core. */
  readonly existing: Existing;
  /** The parts of accounts for which the core has a place. */
  readonly carried: readonly string[];
  /** From a thousand new users on, these go by the core's queue. */
  readonly hasQueue: boolean;
}

/** How users who are there already are dealt with. */
type Existing = Partial<Pick<Policy, "onExisting" | "assumeEmpty">>;

/** What the command line says about how a remote core is reached. */
interface CoreAccess extends EndpointOptions {
  /** Null where none was given; then it is asked for. */
  readonly apiKey: string | null;
  readonly dialect: DialectName | undefined;
  readonly allowInsecure: boolean;
  readonly caFile: string | undefined;
  readonly existing: Existing;
}

const KINDS = [
  { value: "embedded", label: "An embedded core: a data file here" },
  { value: "remote", label: "A remote core: a URL and an API key" },
] as const;

/** The embedded core has a place for all of them. */
const ALL_PARTS = carriedParts(carriedBy(DEFAULT_POLICY, ALL_OFFERED));

const AGAIN = [
  { value: "same", label: "Try the same again" },
  { value: "key", label: "Give another API key" },
  { value: "other", label: "Choose another core" },
] as const;

const NO_LOOKUPS = [
  { value: "empty", label: "It has no users yet" },
  { value: "update", label: "Replace who is there already" },
  { value: "other", label: "Choose another core" },
] as const;

/** Asks until a core answers as one should. */
export async function askForCore(access: CoreAccess, asker: Asker): Promise<ChosenCore> {
  for (;;) {
    const kind = await asker.choose("Which core do the users go into?", KINDS);
    const chosen =
      kind === "embedded"
        ? await asker.text({ message: "Its data file", initial: DEFAULT_DATA, read: checkData })
        : await askForRemote(access, asker);
    if (chosen !== null) return chosen;
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
  if (!existsSync(data)) {
    requireWritable(dirname(data));
    return { kind: "embedded", data, users: null, carried: ALL_PARTS };
  }
  const core = openEmbeddedCore({ file: data, mustExist: true });
  const users = await withCore(core, () => core.countUsers());
  return { kind: "embedded", data, users, carried: ALL_PARTS };
}

/**
 * Asks a remote core whether it is one and takes the key.
 *
 * @throws RunError `config_invalid`, `core_unreachable`, `key_refused`, `core_incompatible`,
 *   `core_without_lookups`
 */
export async function checkRemote(given: string, access: CoreAccess): Promise<RemoteChoice> {
  const { apiKey, dialect, allowInsecure, caFile, existing } = access;
  const { url } = checkedEndpoint(given, access);
  const ca = authorityIn(caFile);
  // Loaded only here, as for an import: the HTTP client takes its time.
  const { connectCore } = await import("../../core/http/client.js");
  const { env } = process;
  const how = { dialect, allowInsecure, env, ca, hints: "flags" } as const;
  const core = connectCore({ url, apiKey, connections: 1, ...how });
  return withCore(core, async () => {
    await checkCore(core, { ...DEFAULT_POLICY, ...existing });
    const offered = await ask("probe", () => core.capabilities());
    const carried = carriedParts(requireCarried(DEFAULT_POLICY, offered));
    const hasQueue = offered.bulkImport === true;
    return { kind: "remote", url, dialect: await core.dialect(), existing, carried, hasQueue };
  });
}

/** What people are told of the core. */
export function coreLine(core: ChosenCore): string {
  const parts = core.carried.join(", ");
  const isByQueue = core.kind === "remote" && core.hasQueue && !core.carried.includes("joined");
  const joined = isByQueue ? "; joined of users who go by the core's queue (--bulk)" : "";
  const carried = parts === "" ? "" : `\nCarried along: ${parts}${joined}.`;
  if (core.kind === "remote") return `${core.url} is a core and takes the key.${carried}`;
  return core.users === null
    ? `The data file ${core.data} will be made by the import.${carried}`
    : `The data file ${core.data} has ${count(core.users, "user")}.${carried}`;
}

/** @returns null where the operator wants another core */
async function askForRemote(access: CoreAccess, asker: Asker): Promise<RemoteChoice | null> {
  const url = await asker.text({
    message: "Its base URL, as in https://core.example.com",
    read: (answer) => checkedEndpoint(answer, access).url,
  });
  let apiKey = access.apiKey ?? (await askForKey(asker));
  let existing = access.existing;
  for (;;) {
    const checked = await attempt(() => checkRemote(url, { ...access, apiKey, existing }));
    if (!(checked instanceof RunError)) return checked;
    // Its hint is an import's; what can be done here is chosen below, unless the failure itself says more.
    const { cause } = checked;
    const hint = cause instanceof CoreFailure ? cause.hint : undefined;
    const says = `${url}: ${checked.message}`;
    asker.warn(hint === undefined ? says : `${says}. ${hint}`);
    if (checked.code === "core_without_lookups") {
      const next = await asker.choose("What is to become of users who are there?", NO_LOOKUPS);
      if (next === "other") return null;
      existing = next === "empty" ? { assumeEmpty: true } : { onExisting: "update" };
      continue;
    }
    const next = await asker.choose("And now?", AGAIN);
    if (next === "other") return null;
    if (next === "key") apiKey = await askForKey(asker);
  }
}

function askForKey(asker: Asker): Promise<string | null> {
  return asker.secret({
    message: "Its API key (empty if it has none)",
    read: (text) => (text.trim() === "" ? null : checkedApiKey(text)),
  });
}

function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new RunError("disk", `${folder} can't be written to (${systemErrorCode(cause)})`, {
      hint: "Choose another folder for the data file, or make this one writable.",
      cause,
    });
  }
}
