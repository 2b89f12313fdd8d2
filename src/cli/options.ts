/** The options of every command, declared once, each with its environment variable. Values: flag, then environment, then configuration file, then default. */

import { Option } from "commander";
import { DIALECT_NAMES } from "../core/dialect.js";
import {
  callRate,
  collect,
  collectBytes,
  collectMapping,
  duration,
  encodingLabel,
  percentage,
  portNumber,
  positiveNumber,
  rejectAllowance,
  sampleSize,
  shardCount,
  wholeNumber,
} from "./option-parsers.js";

/** As the registry has them; a law holds it. Loading all sources to say so would slow down every command. */
const SOURCE_NAMES = "firebase, auth0, supabase, clerk, cognito, keycloak, okta, django, csv, json";

/** In the working directory; a part's has the part in its name. */
export const DEFAULT_CHECKPOINT = "auth-migrate.checkpoint";

function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  return made.env(`AUTH_MIGRATE_${made.name().replaceAll("-", "_").toUpperCase()}`);
}

/**
 * Options of how the tool speaks; on every command.
 *
 * @param listens `--config` may name the core's own configuration; false by default
 */
export function voiceOptions(listens = false): Option[] {
  const yaml = listens ? "; a .yaml or .yml is the core's, as by --core-config" : "";
  return [
    option("--json", "make stdout newline-delimited JSON"),
    option("--quiet", "print the result and errors, nothing else"),
    option("--no-input", "never ask a question"),
    option(
      "--config <file>",
      `configuration file (default: auth-migrate.config.json, if there)${yaml}`,
    ),
  ];
}

/** Options of `import`. */
export function importOptions(): Option[] {
  return [
    ...[...targetOptions(), ...paceOptions(), rateTotalOption()],
    ...shardOptions(),
    ...[...importProofOptions(), ...readingOptions()],
  ];
}

/** Options of `validate`. */
export function validateOptions(): Option[] {
  return [...readingOptions(), rateOption()];
}

/** Options of what is read and what comes of it; on `import` and `validate`. */
function readingOptions(): Option[] {
  return [
    ...planningOptions(),
    option("--limit <n>", "a pilot: end after so many users were sent").argParser(positiveNumber),
    option("--expect-users <n>", "fail unless the files hold exactly this many rows").argParser(
      wholeNumber,
    ),
    option(
      "--rejects-out <file>",
      "write the rows of rejects and failures here, to be mended and imported",
    ),
    option("--accept-rejects <n|p%>", "how many rejects still count as success")
      .argParser(rejectAllowance)
      .default({ count: 0 }, "0"),
    option(
      "--min-password-coverage <p%>",
      "fail unless this share of the users with a password finds its hash",
    ).argParser(percentage),
  ];
}

/** Options of `prove`: those of an import, but that a core is asked only where one is named. */
export function proveOptions(): Option[] {
  const replaced = ["--core", "--data", "--database-url", "--concurrency", "--dry-run"];
  return [
    option("--user <who>", "prove this user: an email, a phone or the vendor's id; may be repeated")
      .argParser(collect)
      .default([], "everybody in the passwords file"),
    option("--passwords <file>", "CSV of test users and their passwords (default: ask for them)"),
    preHashSaltOption(),
    option("--core <url>", "then import these users into the core at this base URL, and sign in"),
    option("--data <file>", "then import them into the embedded core in this file, and sign in"),
    option("--database-url <url>", "the same on this PostgreSQL database; no password in it"),
    ...targetOptions().filter(({ long }) => !replaced.includes(long ?? "")),
    ...planningOptions(),
  ];
}

/** Options of the proof in `import`. */
function importProofOptions(): Option[] {
  return [
    option(
      "--prove <file>",
      "stop unless these test users' passwords (CSV) verify first, also at a remote core",
    ),
    option("--require-proof", "stop where nothing was proved"),
    preHashSaltOption(),
  ];
}

function planningOptions(): Option[] {
  return [
    option(
      "--from <source>",
      `read the files as this vendor's export instead of detecting it: ${SOURCE_NAMES}`,
    ),
    option("--map <field=column>", "which column or property holds a field; may be repeated")
      .argParser(collectMapping)
      .default([], "columns are recognized by their names"),
    option(
      "--encoding <name>",
      "how the files' bytes are text, as in windows-1252 (default: UTF-8, or UTF-16 that shows itself)",
    ).argParser(encodingLabel),
    option(
      "--default-country <code>",
      "two letters of the country whose phone numbers have no + (default: they are refused)",
    ),
    ...judgingOptions(),
    option("--password-export <file>", "the hashes that Auth0's support hands out; may be repeated")
      .argParser(collect)
      .default([], "none"),
    option("--namespace <name>", "keeps equal user ids of two databases apart").default(""),
    option("--on-unusable-hash <what>", "what to do with a user whose hash can't be used")
      .choices(["reject", "passwordless"])
      .default("reject"),
    option("--on-lost-factor <what>", "what to do with a user who has a second factor or a passkey")
      .choices(["reject", "accept"])
      .default("reject"),
    option("--on-duplicate <what>", "what to do with a second row of one user")
      .choices(["reject", "fail"])
      .default("reject"),
    option("--include-unverified", "let contacts that the vendor never verified become a way in"),
    option("--include-disabled", "migrate users whom the vendor disabled or deleted"),
    option("--include-sso", "migrate users who have only an enterprise identity"),
    option("--keep-ids", "map the vendor's id to each user, so that foreign keys stay valid"),
  ];
}

/** Options of `hash`. */
export function hashOptions(): Option[] {
  return [
    option("--from <vendor>", "whose hashes they are: a source's or a vendor's name"),
    ...judgingOptions(),
  ];
}

/** What decides over a hash beside its text; wherever hashes are normalized. */
function judgingOptions(): Option[] {
  return [
    option(
      "--hash-config <file>",
      "the vendor account's scrypt parameters, as its console shows them",
    ),
    option("--assume-plain", "vouch that bare bcrypt and argon2 hashes are of passwords as typed"),
    option("--accept-2x", "take $2x$ hashes for $2a$; passwords beyond ASCII won't verify"),
    option(
      "--argon2-hash-bytes <n>",
      "take argon2 outputs of this many bytes beside 16, 32 and 64; may be repeated",
    )
      .argParser(collectBytes)
      .default([], "those that their column shows to be whole"),
  ];
}

/** Options of where users go; on `import`. */
function targetOptions(): Option[] {
  return [
    option("--core <url>", "import into the core at this base URL instead of the embedded one"),
    option(
      "--dialect <name>",
      "how the remote core names things (default: as it says itself)",
    ).choices(DIALECT_NAMES),
    apiKeyOption("the remote core's API key"),
    dataOption(),
    databaseOption(),
    coreConfigOption(),
    checkpointOption("where the run's progress is kept"),
    option("--target-moved", "the core that the checkpoint knows has a new URL"),
    option(
      "--concurrency <n>",
      "most users in flight (default: 64, embedded 512, on a database 1024)",
    ).argParser(positiveNumber),
    option("--on-existing <what>", "what to do with users who are at the core already")
      .choices(["skip", "update", "fail"])
      .default("skip"),
    option("--assume-empty", "the core has no users: spare the look-ups"),
    option(
      "--change-kind",
      "before the cut-over: bring users with the password that an earlier run didn't read, if they have never signed in",
    ),
    option(
      "--assume-never-signed-in",
      "vouch for that at a core that doesn't say who has signed in",
    ),
    option("--allow-insecure", "allow http: to a core that isn't on this machine"),
    option("--ca-file <file>", "trust this certificate authority (PEM) for the core"),
    option("--dry-run", "the same as validate: contact nothing, leave nothing behind"),
    option("--yes", "don't ask before users are sent to a remote core"),
  ];
}

/** Options of how fast users go, and of when a run ends before its end; on `import`. */
function paceOptions(): Option[] {
  return [
    rateOption(),
    option(
      "--outage-budget <duration>",
      "how long to wait for a core that answers no call, as in 30s, 10m or 2h (default: 10m)",
    ).argParser(duration),
    option("--max-duration <duration>", "stop after so long, with the progress saved").argParser(
      duration,
    ),
    option("--max-rejects <n|p%>", "stop as soon as there are more rejects").argParser(
      rejectAllowance,
    ),
  ];
}

/** Options of one of several processes that import an export in parts. */
function shardOptions(): Option[] {
  return [
    option("--manifest <file>", "import a part of the export that split wrote, checked by this"),
    option("--shard <n>", "which of its parts, from 1").argParser(positiveNumber),
  ];
}

/** Options of `split`: what decides whose row comes first, as in the import of the parts. */
export function splitOptions(): Option[] {
  return [
    option("--shards <n>", "how many parts").argParser(shardCount),
    option("--out-dir <folder>", "a new folder for the parts and their manifest"),
    ...planningOptions().filter(({ long }) => long !== "--password-export"),
  ];
}

function rateTotalOption(): Option {
  return option("--rate-total <n>", "most calls a second of all parts together").argParser(
    callRate,
  );
}

function rateOption(): Option {
  return option(
    "--rate <n>",
    "most calls a second, look-ups among them; 0.5 is one in two seconds",
  ).argParser(callRate);
}

/** Options of a command that reads a checkpoint and nothing else. */
export function checkpointOptions(): Option[] {
  return [checkpointOption("the checkpoint of the import")];
}

/** Options of a command that reads the checkpoints of all parts as well as one. */
function checkpointsOptions(): Option[] {
  return [
    option(
      "--checkpoint <file>",
      "the import's checkpoint; with --manifest repeated, those of all parts",
    )
      .argParser(collect)
      .default([], DEFAULT_CHECKPOINT),
    option("--manifest <file>", "prove by it that the parts of an export were all imported"),
  ];
}

/** Options of `cutover`. */
export function cutoverOptions(): Option[] {
  return [
    ...checkpointOptions(),
    // No environment variable: it would take back every cut-over.
    new Option("--undo", "take it back: changed passwords are sent again"),
  ];
}

/** Options of `report`. */
export function reportOptions(): Option[] {
  return [
    ...checkpointsOptions(),
    option(
      "--format <name>",
      "text, json, markdown, html or csv (rows alone); of a list csv, ndjson or, of the id map, sql",
    ).choices(["text", "json", "markdown", "html", "csv", "ndjson", "sql"]),
    option("--output <file>", "write it into this new file instead of stdout"),
    option("--with-ids", "name vendor's ids beside the example rows"),
    // No environment variables: they would make a list of every report.
    new Option("--id-map", "list the vendor's id and the core's of every user at the core"),
    new Option("--undo", "list the core's users whom this migration made"),
    option("--table <name>", "of --id-map --format sql: the table to update"),
    option("--column <name>", "of --id-map --format sql: its column that holds the vendor's ids"),
    option("--from <source>", "of a list: users of this source alone"),
    option("--namespace <name>", "of a list: users of this namespace alone"),
  ];
}

/** Options of `checkpoint purge`. */
export function purgeOptions(): Option[] {
  return [...checkpointOptions(), option("--yes", "don't ask before it is removed")];
}

/** What `reconcile` is told as an import is. */
const RECONCILE_ANSWERS = [
  ...["dialect", "api-key-file", "data", "database-url", "core-config", "target-moved"],
  "concurrency",
  ...["rate", "outage-budget"],
  ...["allow-insecure", "ca-file", "from", "map", "encoding", "default-country", "namespace"],
];

/** Options of `reconcile`. */
export function reconcileOptions(): Option[] {
  return [
    option("--sample <n|all>", "how many users to ask the core for (default: 200)").argParser(
      sampleSize,
    ),
    ...checkpointsOptions(),
    option("--core <url>", "the core at this base URL instead of the embedded one"),
    ...[...targetOptions(), ...paceOptions(), ...planningOptions()].filter((each) =>
      RECONCILE_ANSWERS.includes(each.name()),
    ),
  ];
}

/** What `setup` can answer for an import, beside options of its own. */
const SETUP_ANSWERS = [
  ...[
    "from",
    "map",
    "encoding",
    "default-country",
    "password-export",
    "on-lost-factor",
    "hash-config",
    "assume-plain",
    "accept-2x",
    "argon2-hash-bytes",
    "prove",
  ],
  ...[
    "core",
    "dialect",
    "api-key-file",
    "core-config",
    "allow-insecure",
    "ca-file",
    "assume-empty",
  ],
];

/** Options of `setup`. Which core isn't a matter of defaults there. */
export function setupOptions(): Option[] {
  return [
    ...[...readingOptions(), ...targetOptions(), ...importProofOptions()].filter((each) =>
      SETUP_ANSWERS.includes(each.name()),
    ),
    option("--data <file>", "import into the embedded core on this data file"),
    option("--on-existing <what>", "what an import does with users who are there").choices([
      "skip",
      "update",
      "fail",
    ]),
    option("--skip-proof", "go on without a password that is known to work"),
    option("--force", "change configuration files that are there already"),
  ];
}

/** Options of `serve`. */
export function serveOptions(): Option[] {
  return [
    dataOption(),
    databaseOption(),
    coreConfigOption(),
    option("--port <n>", "port to listen on; 0 takes a free one (default: 3567)").argParser(
      portNumber,
    ),
    option("--host <address>", "address to listen on (default: 127.0.0.1)"),
    apiKeyOption("the API key that callers must give"),
    option("--hash-config <file>", "the vendor account's scrypt parameters, for their signer key"),
    option(
      "--scrypt-passwords <encoding>",
      "how passwords of vendor scrypt hashes become bytes (default: utf8, as at the vendor)",
    ).choices(["utf8", "ascii"]),
    option("--access-log <file>", "append a JSON line for every call; - is the error stream"),
  ];
}

function preHashSaltOption(): Option {
  return option(
    "--prehash-salt-file <file>",
    "file that holds a pepper or salt to try where a password doesn't verify",
  );
}

function apiKeyOption(what: string): Option {
  // No environment variable for the path: AUTH_MIGRATE_API_KEY holds the key itself.
  return new Option("--api-key-file <file>", `file that holds ${what} (or AUTH_MIGRATE_API_KEY)`);
}

function dataOption(): Option {
  return option(
    "--data <file>",
    "the embedded core's data file (default: data of its configuration, else auth-core.db)",
  );
}

function databaseOption(): Option {
  return option(
    "--database-url <url>",
    "the embedded core's PostgreSQL database, in place of a data file; no password in it",
  );
}

function checkpointOption(what: string): Option {
  return option("--checkpoint <file>", what).default(DEFAULT_CHECKPOINT);
}

function coreConfigOption(): Option {
  return option(
    "--core-config <file>",
    "the embedded core's configuration (default: auth-core.yaml, if there)",
  );
}
