import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunErrorCode } from "../../src/errors/run-error.js";
import type { CliOptions } from "../support/cli.js";
import { OTHER, OWN } from "./setup/support/projects.js";
import {
  expectFailure,
  HASH_CONFIG,
  PASSWORDS,
  PROBLEMS,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
const env = { AUTH_MIGRATE_API_KEY: "the-core-takes-this-key-0001" };

/** What lies in the working directory; null for a folder. */
type Files = Readonly<Record<string, string | Buffer | null>>;

/** A command that ends at once, with which error, what is said of it, and what is next. */
type Row = readonly [
  command: string,
  files: Files,
  code: RunErrorCode,
  says: RegExp,
  next: RegExp,
  given?: Pick<CliOptions, "env" | "stdin">,
];

const NONE: Files = {};
const EXPORTS: Files = { "exports/2024": null, "exports/users.csv": "email\nann@example.com\n" };

const INPUTS: readonly Row[] = [
  ["import nope.csv", NONE, "input_unreadable", /^nope\.csv does not exist/, /Check the path/],
  ["import users.csv", { "users.csv": "" }, "no_users", /^users\.csv is empty/, /Export the users/],
  [
    "import team.png",
    { "team.png": Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") },
    "input_unrecognized",
    /^team\.png is no text, but a binary file/,
    /Name the export itself/,
  ],
  ["import exports", { exports: null }, "input_unreadable", /has no file/, /Name the export's/],
  // One bad file among good ones.
  [`import ${PROBLEMS} june.csv`, NONE, "input_unreadable", /june\.csv/, /Check the path/],
  // What is written into a folder would be read there next time.
  ["import .", EXPORTS, "usage", /auth-migrate\.checkpoint would/, /--checkpoint/],
  ["import . --checkpoint ../c", EXPORTS, "usage", /auth-core\.db would/, /--data/],
  ...["import exports", "import exports --dry-run", "validate exports"].map(
    (command): Row => [
      `${command} --rejects-out exports/2024/r.csv`,
      EXPORTS,
      "usage",
      /r\.csv would/,
      /--rejects-out/,
    ],
  ),
  ["setup . --skip-proof --data ../a", EXPORTS, "usage", /migrate\.config\.json would/, /--config/],
  ["split exports --shards 2 --out-dir exports/p", EXPORTS, "usage", /p would/, /--out-dir/],
];

const PARAMETERS = `import ${USERS} --hash-config parameters.txt`;
const WORDS = /Of 2x, as-typed and argon2-N write those to take; N is from 4 to 128 bytes/;

const HASHES: readonly Row[] = [
  [PARAMETERS, NONE, "config_invalid", /--hash-config parameters\.txt: there is no/, /--hash-conf/],
  [
    PARAMETERS,
    { "parameters.txt": "the parameters are in the vault\n" },
    "hash_config_invalid",
    /neither a block hash_config \{ … \} nor JSON/,
    /console/,
  ],
  ["hash --from acme", NONE, "usage", /no source or vendor named "acme"/, /docs\/hashes\.md/],
  ...["plain", "argon2-3", "argon2-129", "argon2-020", "argon2", "2x,"].map(
    (list): Row => [`hash --allow-hash ${list}`, NONE, "usage", WORDS, /hash --help/],
  ),
];

const INTO = `import ${PROBLEMS} --core`;
const KEYED = `${INTO} http://127.0.0.1:9 --api-key-file core.key`;

const CORES: readonly Row[] = [
  [`${INTO} core.example.com`, NONE, "config_invalid", /not an http: or https: URL/, /https:/],
  [`${INTO} http://core.example.com`, NONE, "config_invalid", /in the clear/, /https:/],
  [KEYED, NONE, "config_invalid", /^--api-key-file: there is no such file/, /--api-key-file/],
  [KEYED, { "core.key": "\n" }, "config_invalid", /core\.key: the file is empty/, /key/],
  [KEYED, { "core.key": "one\ntwo\n" }, "config_invalid", /no HTTP header takes/, /key/],
  [`${INTO} http://127.0.0.1:9 --dialect klingon`, NONE, "usage", /interface, supertokens/, /help/],
];

const LETTER = { "letter.txt": "Dear all,\nthe new core goes live on Monday.\n" };

const FILES: readonly Row[] = [
  ...[`import ${PROBLEMS}`, "serve --port 0"].map(
    (command): Row => [
      `${command} --data letter.txt`,
      LETTER,
      "data_unusable",
      /letter\.txt is not a data file/,
      /another data file/,
    ],
  ),
  [
    `import ${PROBLEMS} --checkpoint letter.txt`,
    LETTER,
    "checkpoint_invalid",
    /letter\.txt is not a checkpoint/,
    /--checkpoint/,
  ],
  ...["status", "report", "reconcile", "cutover"].map(
    (command): Row => [
      command,
      NONE,
      "checkpoint_missing",
      /no checkpoint auth-migrate\.checkpoint/,
      /--checkpoint FILE/,
    ],
  ),
  [
    "checkpoint purge",
    { "auth-migrate.checkpoint": "it is still there" },
    "usage",
    /No terminal is there to ask/,
    /--yes.*auth-migrate status/,
  ],
  [
    `import ${USERS} --config move.json`,
    NONE,
    "config_invalid",
    /move\.json: there is/,
    /--config/,
  ],
];

const FORMAT = /with --format|--help/;

const OPTIONS: readonly Row[] = [
  ...["blocked", "disabled,", ""].map(
    (list): Row => [
      `validate ${USERS} --include ${list}`,
      NONE,
      "usage",
      /Of disabled, unverified and sso/,
      /validate --help/,
    ],
  ),
  // Lines of JSON of a report, and a page of a list.
  ["report --format ndjson --output a", NONE, "usage", /no format ndjson/, FORMAT],
  ["report --id-map --format html --output a", NONE, "usage", /no format html/, FORMAT],
  ["report --format pdf", NONE, "usage", /pdf/, FORMAT],
  ["report --format csv", NONE, "usage", /--format csv isn't/, /one of the two/],
];

const KEEPING = "import users.csv --on-unusable-hash bridge --no-input";
const VAULT = "--vault users.vault --vault-key-file vault.key";

const BRIDGED: readonly Row[] = [
  [KEEPING, NONE, "usage", /no vault is named/, /--vault/],
  [`${KEEPING} --vault users.vault`, NONE, "usage", /its key isn't named/, /--vault-key-file/],
  ["import a.csv --on-unusable-hash reseal", NONE, "usage", /no vault is named/, /--vault/],
  [`import users.csv ${VAULT}`, NONE, "usage", /nothing is to be kept/, /--on-unusable-hash/],
  ["import users.csv --upstream okta", NONE, "usage", /vendor is named/, /--on-unusable-hash/],
  [`${KEEPING} ${VAULT} --assume-empty`, NONE, "usage", /would replace/, /--on-existing skip/],
  [
    `${KEEPING} ${VAULT} --on-existing update`,
    NONE,
    "usage",
    /would replace/,
    /--on-existing skip/,
  ],
  ["bridge --new-key a", { a: "a key" }, "config_invalid", /there is such a file/, /new file/],
];

const PROVE = `prove ${USERS} --hash-config ${HASH_CONFIG}`;
const KNOWN = { "p.csv": "u-00001,Yilmaz-Hugo-1!\n" };

const PROOFS: readonly Row[] = [
  [PROVE, NONE, "usage", /no terminal to ask/, /--passwords FILE/],
  [
    `${PROVE} --passwords broken.csv`,
    { "broken.csv": "ann@example.com,Tuba\nben@example.com\n" },
    "config_invalid",
    /broken\.csv, row 2 \(line 2\) has no password/,
    /first row is email,password/,
  ],
  [
    `${PROVE} --passwords p.csv --prehash-salt-file none.txt`,
    KNOWN,
    "config_invalid",
    /^--prehash-salt-file: there is no such file/,
    /Check the path/,
  ],
  [
    `${PROVE} --passwords p.csv --prehash-salt-file empty.txt`,
    { ...KNOWN, "empty.txt": "\n" },
    "config_invalid",
    /^--prehash-salt-file empty\.txt: the file is empty/,
    /Write the pepper/,
  ],
];

const ANSWERED = `setup --no-input ${OWN.users} --hash-config ${OWN.hashConfig} --skip-proof`;
const OTHER_KEY = { env: { VENDOR_PASSWORD_HASHING_SIGNER_KEY: OTHER.signerKey } };
const ALL_ANSWERS = /the export's files; --core URL or --data FILE; --prove FILE or --skip-proof/;

const SETUPS: readonly Row[] = [
  ["setup --no-input", NONE, "usage", ALL_ANSWERS, /at a terminal/],
  [
    `setup --no-input ${OWN.users} --data a.db --skip-proof`,
    NONE,
    "usage",
    /--hash-config FILE/,
    /command line/,
  ],
  [
    "setup --no-input nope.json --data a.db --skip-proof",
    NONE,
    "input_unreadable",
    /nope\.json/,
    /path/,
  ],
  [`${ANSWERED} --core http://127.0.0.1:9`, NONE, "core_unreachable", /./, /./],
  [`${ANSWERED} --data a.db`, NONE, "config_invalid", /differ/, /unset/, OTHER_KEY],
];

const stdin = readFileSync(USERS);
const ONCE = /^standard input can be read only once/;

const PIPED: readonly Row[] = [
  ["validate - -", NONE, "usage", /can be only one of the files/, /files/, { stdin }],
  ["validate -", NONE, "no_users", /^standard input is empty/, /Export/, { stdin: "" }],
  ["validate - --encoding klingon", NONE, "usage", /klingon|windows/, /--help/, { stdin }],
  [
    `setup - --hash-config ${HASH_CONFIG} --data a.db --prove ${PASSWORDS}`,
    NONE,
    "input_unreadable",
    ONCE,
    /Save the export as a file/,
    { stdin },
  ],
];

const keyed = (key: string) => ({ env: { AUTH_MIGRATE_API_KEY: key } });
const FAR = "serve --host 0.0.0.0";
const REACHED = /on 0\.0\.0\.0, which can be reached from outside/;
const GUESSED = /fewer than 20 characters, and 0\.0\.0\.0 can be reached from outside/;

const SERVED: readonly Row[] = [
  ["serve", NONE, "config_invalid", /needs an API key/, /api_keys/, keyed("")],
  [FAR, NONE, "config_invalid", REACHED, /api_keys/, keyed("")],
  [FAR, NONE, "config_invalid", GUESSED, /openssl rand/, keyed("quay-lantern-1")],
  ["serve", NONE, "config_invalid", /no header carries/, /letters/, keyed("garnet quay lantern 1")],
];

/** The files of a folder, and what is in them. */
function filesIn(folder: string): object {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = names.map((name) => {
    const path = join(folder, name);
    return [name, statSync(path).isFile() ? readFileSync(path, "utf8") : null];
  });
  return Object.fromEntries(found);
}

const ALL = [INPUTS, HASHES, CORES, FILES, OPTIONS, BRIDGED, PROOFS, SETUPS, PIPED, SERVED].flat();

it.concurrent.each(ALL.map((row) => [row[0], row] as const))(
  "%s ends at once, says what is next, and leaves all files as they were",
  async (_command, [command, files, code, says, next, given]) => {
    const cwd = workFolder();
    for (const [name, content] of Object.entries(files)) {
      if (content === null) mkdirSync(join(cwd, name), { recursive: true });
      else writeInto(cwd, name, content);
    }
    const before = filesIn(cwd);
    await expectFailure(command.split(" "), { cwd, env, ...given }, { code, says, next });
    expect(filesIn(cwd)).toEqual(before);
  },
);
