/** Which core the users go into, checked by asking it. It creates no data file and changes nothing at a core. */

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { CoreFailure } from "../../core/core-failure.js";
import { checkedApiKey, checkedEndpoint } from "../../core/http/endpoint.js";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { ALL_OFFERED, carriedBy, carriedParts } from "../../plan/carried.js";
import { ask, checkCore } from "../../run/preflight.js";
import { requireCarried } from "../../run/require-carried.js";
import { count } from "../../report/text.js";
import { withCore } from "../core-target.js";
import { DEFAULT_DATA, isUrl } from "../data-file.js";
import { authorityIn } from "../small-file.js";
import { attempt } from "./asker.js";
import type { ChosenCore, CoreAccess, EmbeddedChoice, RemoteChoice } from "./chosen.js";
import type { Change, Known, Step } from "./steps.js";

const KINDS = [
  { value: "embedded", label: "An embedded core, to rehearse: a data file here" },
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

const isRemote = ({ kind, core }: Known): boolean => kind === "remote" && core === null;

/** The way back to the choice of a core. */
function anotherCore({ access }: Known): Change {
  return { kind: null, url: null, refused: null, apiKey: access.apiKey ?? undefined };
}

export const CORE: readonly Step[] = [
  {
    isOpen: ({ kind, core }) => core === null && kind === null,
    option: "--core URL or --data FILE",
    async given({ values, access }) {
      if (values.core !== undefined)
        return taken(await checkRemote(values.core, access.apiKey, access));
      return values.data === undefined ? null : taken(await checkData(values.data));
    },
    question: () => ({
      kind: "choose",
      message: "Which core do the users go into?",
      choices: KINDS,
    }),
    check: (kind) => ({ kind }),
    writes({ core }) {
      if (core?.kind === "remote") return { core: core.url, ...core.existing };
      return core === null ? {} : { data: core.data };
    },
  },
  {
    isOpen: ({ kind, core }) => kind === "embedded" && core === null,
    question: () => ({ kind: "text", message: "Its data file", initial: DEFAULT_DATA }),
    check: async (data) => taken(await checkData(data)),
  },
  {
    isOpen: (known) => isRemote(known) && known.url === null,
    question: () => ({
      kind: "text",
      message: "Its base URL, as in https://core.example.com",
    }),
    async check(answer, known) {
      const { url } = checkedEndpoint(answer, known.access);
      return known.apiKey === undefined ? { url } : connect({ ...known, url });
    },
  },
  {
    isOpen: (known) => isRemote(known) && known.apiKey === undefined,
    question: () => ({ kind: "secret", message: "Its API key (empty if it has none)" }),
    check: (text, known) =>
      connect({ ...known, apiKey: text.trim() === "" ? null : checkedApiKey(text) }),
  },
  {
    isOpen: (known) => isRemote(known) && known.refused?.code === "core_without_lookups",
    question: () => ({
      kind: "choose",
      message: "What is to become of users who are there?",
      choices: NO_LOOKUPS,
    }),
    async check(next, known) {
      if (next === "other") return anotherCore(known);
      const existing =
        next === "empty" ? ({ assumeEmpty: true } as const) : ({ onExisting: "update" } as const);
      return connect({ ...known, access: { ...known.access, existing } });
    },
  },
  {
    isOpen: (known) => isRemote(known) && known.refused !== null,
    question: () => ({ kind: "choose", message: "And now?", choices: AGAIN }),
    async check(next, known) {
      if (next === "other") return anotherCore(known);
      return next === "key" ? { refused: null, apiKey: undefined } : connect(known);
    },
  },
];

function taken(core: ChosenCore): Change {
  return { core, said: [{ as: "found", text: coreLine(core) }] };
}

/** What a remote core answers that was asked for. */
async function connect({ url, apiKey = null, access }: Known): Promise<Change> {
  const named = { url, apiKey, access };
  const checked = await attempt(() => checkRemote(url ?? "", apiKey, access));
  if (!(checked instanceof RunError)) return { ...named, ...taken(checked) };
  // Its hint is an import's; what can be done here is chosen next, unless the failure itself says more.
  const { cause } = checked;
  const hint = cause instanceof CoreFailure ? cause.hint : undefined;
  const says = `${url}: ${checked.message}`;
  const text = hint === undefined ? says : `${says}. ${hint}`;
  return { ...named, refused: checked, said: [{ as: "warn", text }] };
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
async function checkRemote(
  given: string,
  apiKey: string | null,
  access: CoreAccess,
): Promise<RemoteChoice> {
  const { dialect, allowInsecure, caFile, existing } = access;
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
  const carried = parts === "" ? "" : `\nIt has a place for: ${parts}${joined}.`;
  if (core.kind === "remote") return `${core.url} is a core and takes the key.${carried}`;
  return core.users === null
    ? `The data file ${core.data} will be made by the import.${carried}`
    : `The data file ${core.data} has ${count(core.users, "user")}.${carried}`;
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
