import { describe, expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const HASH = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const KEY = "5f".repeat(32);

/** What is said of a file: what keeps users out, what is refused, or the code that ends the run. */
interface Said {
  readonly ready?: number;
  readonly skips?: Readonly<Record<string, number>>;
  readonly rejects?: Readonly<Record<string, number>>;
  readonly source?: string;
  readonly notices?: object;
  readonly stops?: string;
  /** In the hint of what stops it. */
  readonly hint?: string;
}

type Row = readonly [what: string, file: string, text: string, args: string, said: Said];

const table = (header: string, ...rows: readonly string[]): string =>
  [header, ...rows].join("\n").replaceAll("HASH", HASH);

const withHash = (hash: string): string =>
  table("nr,email,password_hash", `1,uma@example.com,"${hash}"`);

const parse = { objectId: "Zk81", username: "uma", email: "uma@example.com", ACL: {} };
const firebase = (passwordHash: string): string =>
  JSON.stringify({
    users: [{ localId: "f1", email: "uma@example.com", passwordHash, salt: "aa" }],
  });
const phpbb = table(
  "user_id,user_type,username_clean,user_email,user_password",
  "2,3,uma,uma@example.com,HASH",
  "3,2,spider,spider@example.com,HASH",
  "4,1,otis,otis@example.com,HASH",
);

const OUT: readonly Row[] = [
  ...["prohibit_login", "deny_login", "disallow_login", "bar_login", "is_fired", "leaver"].map(
    (name): Row => [
      `a column that forbids the sign-in, ${name}`,
      "people.csv",
      table(`nr,email,password_hash,${name}`, "1,uma@example.com,HASH,0", "2,o@example.com,HASH,1"),
      "",
      { ready: 1, skips: { disabled: 1 } },
    ],
  ),
  [
    "a way in that is none, and a marker for a password that is elsewhere",
    "people.csv",
    table(
      "id,auth,suspended,password,email",
      "1,manual,0,HASH,uma@example.com",
      "2,nologin,0,HASH,otis@example.com",
      "3,ldap,0,not cached,ida@example.com",
    ),
    "",
    { ready: 1, skips: { disabled: 1, sso_only: 1 }, rejects: {} },
  ],
  [
    "an account of a program among those of an API",
    "people.json",
    JSON.stringify({
      results: ["internal", "service_account"].map((type, nr) => ({
        nr,
        type,
        email: `${type.slice(0, 4)}@example.com`,
      })),
    }),
    "",
    { stops: "column_unclear" },
  ],
  [
    "phpBB's crawlers",
    "people.csv",
    phpbb,
    "",
    { ready: 1, skips: { service_account: 1, disabled: 1 } },
  ],
  [
    "phpBB's crawlers where nothing else says that it is phpBB's",
    "people.csv",
    phpbb.replace("username_clean", "name"),
    "",
    { stops: "column_unclear", hint: "--map disabled=user_type=VALUE" },
  ],
  [
    "a flag beside the empty date of the same thing",
    "people.csv",
    table("id,email,password_hash,activated,activated_at", "1,uma@example.com,HASH,1,"),
    "",
    { ready: 0, skips: { disabled: 1 } },
  ],
];

const TEXTS: readonly Row[] = [
  ...(
    [
      ["Mosquitto's", `$7$101$${"A".repeat(16)}$${"B".repeat(86)}==`, "pbkdf2"],
      ["pbkdf2-password-hash's", `sha512$1000$64$${KEY}$${KEY}${KEY}`, "pbkdf2"],
      ["one of GRUB's", "grub.pbkdf2.sha512.10000.0A0B.0C0D", "pbkdf2"],
      ["one of cryptacular's", "$p5k2$3e8$abc$def", "pbkdf2"],
      ["Django's digest without a salt", `sha1$$${KEY.slice(24)}`, "django_digest"],
      ["passlib's verifier", `$scram$6400$.Z/znnNOKWUsBaCU$sha-1=${"a".repeat(27)}`, "scram"],
      ["TYPO3's of an older one", `M$P$C${"b".repeat(30)}`, "wrapped"],
    ] as const
  ).map(
    ([what, hash, code]): Row => [
      `a hash that is called by its name and never bridged, ${what}`,
      "people.csv",
      withHash(hash),
      "--on-unusable-hash bridge",
      { ready: 0, rejects: { [code]: 1 } },
    ],
  ),
  [
    "Magento's default, bridged",
    "people.csv",
    withHash(`${KEY}:abcdefgh12345678:3_32_2_67108864`),
    "--on-unusable-hash bridge",
    { ready: 1, rejects: {} },
  ],
  [
    "Ory's MD5 without a salt, bridged",
    "people.csv",
    withHash("$md5$C/etTv4IzQiKmawqTkSBDw=="),
    "--on-unusable-hash bridge",
    { ready: 1, rejects: {} },
  ],
  [
    "passwords in plain text",
    "people.csv",
    table("nr,email,password", "1,uma@example.com,Winter2025!", "2,o@example.com,tea and cake"),
    "",
    { ready: 0, rejects: { plain_text: 2 } },
  ],
  [
    "a Firebase emulator's stand-in, without the parameters of a hash that isn't there",
    "people.json",
    firebase("fakeHash:salt=aa:password=tea"),
    "",
    { ready: 0, rejects: { firebase_emulator: 1 } },
  ],
  [
    "a hash that Firebase withheld",
    "people.json",
    firebase("UkVEQUNURUQ="),
    "",
    { ready: 0, rejects: { firebase_redacted: 1 } },
  ],
];

const FORMS: readonly Row[] = [
  ...["", "--from parse"].map(
    (args): Row => [
      `Parse's users without a hash are Parse's ${args}`,
      "people.json",
      JSON.stringify({ results: [parse] }),
      args,
      { source: "parse", ready: 1, notices: { password_not_exported: 1 } },
    ],
  ),
  [
    "a name that stands twice and isn't read",
    "people.csv",
    table("Email,Password,Company Name,Company name", "uma@example.com,HASH,A,B"),
    "",
    { ready: 1 },
  ],
  ...[
    {
      id: "o1",
      profile: { login: "uma@example.com" },
      credentials: { emails: [{ value: "u@example.com" }] },
    },
    {
      id: "k1",
      traits: { email: "uma@example.com" },
      credentials: { oidc: { config: { providers: [{ subject: "1" }] } } },
    },
  ].map(
    (user): Row => [
      `one user over several lines, ${user.id}`,
      "people.json",
      JSON.stringify(user, null, 1),
      "",
      { stops: "input_unrecognized", hint: "jq -c . people.json" },
    ],
  ),
  [
    "a contact that --map names, with no --from",
    "people.csv",
    table("nr,login,secret_word", "1,uma@example.com,HASH"),
    "--map email=login --map hash=secret_word",
    { source: "csv", ready: 1 },
  ],
  [
    "a contact of JSON that --map names, with no --from",
    "people.json",
    JSON.stringify({ members: [{ nr: 1, login: "uma@example.com" }] }),
    "--map email=login",
    { source: "json", ready: 1 },
  ],
];

describe.concurrent("what exports hold is heard, asked or refused:", () => {
  test.each([...OUT, ...TEXTS, ...FORMS])("%s", async (_what, file, text, args, said) => {
    const cwd = newFolder();
    writeInto(cwd, file, text);
    const given = args === "" ? [] : args.split(" ");
    const run = await runCli(["validate", file, "--json", "--no-input", ...given], { cwd });
    const { stops, hint, ready, ...rest } = said;
    if (stops !== undefined) {
      const last = jsonLines(run.stdout).at(-1);
      expect(last).toMatchObject({ type: "error", code: stops });
      if (hint !== undefined) expect(last?.hint).toContain(hint);
      return;
    }
    const summary = summaryOf(run.stdout);
    const counts = Object.values(Object(summary?.ready)) as number[];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ready);
    expect(summary).toMatchObject(rest);
    if (rest.rejects !== undefined) expect(summary?.rejects).toEqual(rest.rejects);
  });

  test("a line of htpasswd with a hash of DES", async () => {
    const args = ["hash", "--from", "htpasswd", "--json"];
    const { stdout } = await runCli(args, { cwd: newFolder(), stdin: "uma:nuubVQd7Bg6II" });
    expect(jsonLines(stdout)[0]).toMatchObject({ verdict: "refused", code: "des_crypt" });
  });
});
