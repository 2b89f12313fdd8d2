/** Options of where users go. */

import { DIALECT_NAMES } from "../../core/dialect.js";
import { z } from "zod";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { DEFAULT_CONCURRENCY, GENTLE_CONCURRENCY } from "../../run/defaults.js";
import { DEFAULT_CORE_CONFIG } from "../core-config.js";
import { DEFAULT_DATA } from "../core-choice.js";
import { checkpoint } from "./general.js";
import { omit, type OptionSpecs, type ValuesOf } from "./option.js";
import { positiveNumber, text } from "./types.js";

const { embedded, remote } = DEFAULT_CONCURRENCY;

const concurrency = {
  flags: "--concurrency <n>",
  group: "Pace and limits",
  help: "most users in flight",
  type: positiveNumber,
} as const;

/** Of a command that has to do with a core. */
export const core = {
  core: {
    flags: "--core <url>",
    help: "the core at this base URL instead of the embedded one",
    docs: "With app and tenant: `/appid-shop/t1` ([network.md](network.md#apps-and-tenants))",
    type: text,
  },
  data: {
    flags: "--data <place>",
    help: "the embedded core's data file, or its PostgreSQL database as postgres://user@host/name",
    brief: "the embedded core's data file or postgres:// URL",
    docs: "No password in it ([core/postgresql.md](core/postgresql.md))",
    type: text,
    defaultText: `the one that its configuration names, or ${DEFAULT_DATA}`,
  },
  apiKeyFile: {
    flags: "--api-key-file <file>",
    help: "file that holds the remote core's API key (or AUTH_MIGRATE_API_KEY)",
    brief: "file that holds the remote core's API key",
    type: text,
    variable: false,
    yieldsTo: "AUTH_MIGRATE_API_KEY",
  },
  coreConfig: {
    flags: "--core-config <file>",
    group: "The core",
    help: "the embedded core's configuration",
    docs: "([core/config.md](core/config.md))",
    type: text,
    defaultText: `${DEFAULT_CORE_CONFIG}, if there`,
  },
  dialect: {
    flags: "--dialect <name>",
    group: "The core",
    help: "how the remote core names things",
    docs: "([core/README.md](core/README.md))",
    type: z.enum(DIALECT_NAMES),
    defaultText: "as the core itself says",
  },
  allowInsecure: {
    flags: "--allow-insecure",
    group: "The core",
    help: "allow http: to a core that isn't on this machine",
  },
  caFile: {
    flags: "--ca-file <file>",
    group: "The core",
    help: "trust this certificate authority (PEM) for the core",
    type: text,
  },
  targetMoved: {
    flags: "--target-moved",
    group: "The core",
    help: "the core that the checkpoint knows has a new URL",
  },
  concurrency: {
    ...concurrency,
    defaultText: `${remote} at a remote core, ${embedded} at the embedded one`,
  },
} as const satisfies OptionSpecs;

/** Those of them that say which core it is, and how it is reached. */
export const whichCore = omit(core, "targetMoved", "concurrency");

/** Of a command that asks the core beside people's sign-ins; it stands behind {@link core}. */
export const gentle = {
  concurrency: { ...concurrency, default: GENTLE_CONCURRENCY },
} as const satisfies OptionSpecs;

/** What becomes of users who are at the core already. */
export const existing = {
  onExisting: {
    flags: "--on-existing <what>",
    help: "what to do with users who are at the core already",
    docs: "`update` replaces the hash of users with a password, unless the vendor never verified the email, and sets the contacts of users without one; refused since the cut-over",
    type: z.enum(["skip", "update", "fail"]),
    default: DEFAULT_POLICY.onExisting,
  },
  assumeEmpty: {
    flags: "--assume-empty",
    group: "The core",
    help: "the core has no users: spare the lookups",
    docs: "The run stops at the first user whom it does have",
  },
} as const satisfies OptionSpecs;

/** Of an import. */
export const target = {
  ...core,
  ...checkpoint,
  ...existing,
  changeKind: {
    flags: "--change-kind",
    group: "Which users are taken",
    help: "before the cut-over: bring users with the password or the social account that an earlier run didn't read, if they have never signed in",
    docs: "The user without it is removed ([newer-export.md](newer-export.md#a-first-run-that-read-too-little))",
  },
  assumeNeverSignedIn: {
    flags: "--assume-never-signed-in",
    group: "Which users are taken",
    help: "with --change-kind or --on-unusable-hash reseal, at a core that doesn't say who has signed in: vouch that no application lets people in there yet",
  },
  dryRun: {
    flags: "--dry-run",
    help: "the same as validate: contact nothing, leave nothing behind",
    brief: "as validate: contact nothing, leave nothing behind",
    of: "dry run",
  },
  yes: {
    flags: "--yes",
    group: "Output and questions",
    help: "don't ask before users are sent to a remote core, nor for a proof",
    docs: "Without a terminal nothing is asked",
  },
} as const satisfies OptionSpecs;

/** What opening a core takes. */
export type CoreValues = Partial<ValuesOf<typeof core>> &
  Pick<ValuesOf<typeof core>, "allowInsecure"> &
  ValuesOf<typeof checkpoint>;
export type TargetValues = ValuesOf<typeof target>;
