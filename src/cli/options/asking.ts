/** Options by which a dry run asks a core. They are an import's, but for the URL, which only the command line gives. */

import { checkpoint } from "./general.js";
import { type OptionSpecs, pick, type ValuesOf } from "./option.js";
import { bulk, outage } from "./running.js";
import { core, existing, target } from "./target.js";
import { positiveNumber } from "./types.js";

// What lies on this machine isn't asked: the embedded core belongs to one process at a time.
const { core: url, data: _data, databaseUrl: _url, coreConfig: _config, ...remote } = core;

export const asking = {
  core: {
    ...url,
    help: "ask the core at this base URL how an import would end for each row, by reads alone",
    docs: "Given on the command line alone, never by a variable or the configuration file: without it `validate` contacts nothing. See [A dry run against the core](import.md#a-dry-run-against-the-core)",
    variable: false,
    configured: false,
  },
  ...remote,
  ...checkpoint,
  ...existing,
  ...pick(target, "changeKind", "assumeNeverSignedIn"),
  ...outage,
  ...bulk,
  checkExisting: {
    flags: "--check-existing <n>",
    group: "The core",
    help: "with --core: most users who are looked up; of more of them an evenly spaced sample is",
    type: positiveNumber,
    default: 100_000,
  },
} as const satisfies OptionSpecs;

export type AskingValues = ValuesOf<typeof asking>;
