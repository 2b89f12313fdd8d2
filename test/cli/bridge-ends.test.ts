import { describe, expect, it } from "vitest";
import { verdictOf } from "../../src/cli/verdict.js";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { oldHash } from "../bridge/support/migration.js";
import { runCli } from "../support/cli.js";
import { workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
const IMPORT = ["--no-input", "--on-unusable-hash", "bridge", ...VAULT];

function table(passwords: readonly string[], ...others: readonly string[]): string {
  const rows = passwords.map(
    (password, n) => `r-${n},reader.${n}@example.com,${oldHash(password)}`,
  );
  return ["id,email,password_hash", ...rows, ...others].join("\n");
}

/** Two bridged users at a core that people sign in at; in `readers.csv` one's hash has changed since. */
async function cutOver(): Promise<string> {
  const cwd = newFolder();
  writeInto(cwd, "readers.csv", table(["Tr0mbone", "k1ngfisher"]));
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  await runCli(["import", "readers.csv", ...IMPORT], { cwd });
  await runCli(["cutover", "--checkpoint", "auth-migrate.checkpoint"], { cwd });
  writeInto(cwd, "readers.csv", table(["Tr0mbone", "per1winkle"]));
  return cwd;
}

const told = (text: string): string => {
  const line = text.replaceAll(/ *\\\n */g, " ").replaceAll(/\s+/g, " ");
  return /The old passwords of .*? auth-migrate bridge .*?vault\.key/.exec(line)?.[0] ?? "";
};

/** How an import ends, and what it is of. */
const ENDS: readonly (readonly [string, number, string, readonly string[]])[] = [
  ["rows that changed after the cut-over", 0, "", []],
  ["nothing to do", 0, table(["Tr0mbone", "k1ngfisher"]), []],
  ["a reject", 65, table(["Tr0mbone"], "r-7,no-address,"), []],
  ["fewer rows than expected", 65, table(["Tr0mbone"]), ["--expect-users", "9"]],
  ["a pilot's limit", 0, "", ["--limit", "1"]],
  ["a proof that failed", 78, "", ["--prove", "wrong.csv"]],
  ["a file without a user", 66, "id,email,password_hash", []],
];

it.each(ENDS)(
  "an import that ends with %s names the bridge on which users depend, as status does",
  async (_end, code, rows, options) => {
    const cwd = await cutOver();
    if (rows !== "") writeInto(cwd, "readers.csv", rows);
    writeInto(cwd, "wrong.csv", "email,password\nreader.0@example.com,wr0ng");
    const ended = await runCli(["import", "readers.csv", ...IMPORT, ...options], { cwd });
    expect(ended.code, ended.stderr).toBe(code);
    const status = told((await runCli(["status"], { cwd })).stdout);
    expect(status).toContain("2 bridged users");
    expect(told(`${ended.stdout} ${ended.stderr}`)).toBe(status);
  },
);

describe("the verdict on an import", () => {
  const bridge = { text: "The bridge:", command: "auth-migrate bridge" };
  const codes = Object.keys(EXIT_CODES).map(Number);
  const flags = [false, true];
  const all = codes.flatMap((exitCode) =>
    flags.flatMap((interrupted) =>
      flags.flatMap((limited) =>
        flags.flatMap((isOpen) =>
          flags.flatMap((isUnproved) =>
            [0, 2].flatMap((rejected) =>
              [0, 2].map((forBridge) => {
                return { exitCode, interrupted, limited, isOpen, isUnproved, rejected, forBridge };
              }),
            ),
          ),
        ),
      ),
    ),
  );

  it(`names the bridge once, whatever the end (${all.length} ends)`, () => {
    for (const { exitCode, isOpen, isUnproved, forBridge, ...of } of all) {
      const standing = {
        ...{ users: 3, imported: 3, created: 0, existed: 0, pending: isOpen ? 1 : 0, cut: null },
        ...{ skipped: 0, rejected: 0, failed: 0, written: 0, queued: 0, unknown: 0, unread: 0 },
        ...{ otherRows: { rejects: {}, skips: {}, failures: {} }, stillThere: {} },
      };
      const ended = {
        summary: {
          ...of,
          ...{ command: "import", standing, read: 3, imported: 3, created: 0, existed: 0 },
          ...{ failed: 0, queued: 0, unchanged: 0, bridged: 0, truncated: [], rejectsFiles: [] },
          ...{ rejectsAsText: [], skips: {}, notices: {}, source: "csv", shard: null },
          ...{ core: { kind: "remote" }, carriedUsers: {}, skipped: 0, signIns: null },
        },
        issues: { groups: [], findings: isUnproved ? [{ code: "unproved", rows: [] }] : [] },
        values: {},
        next: { keeping: () => ({ newKey: null, command: "" }), accepting: () => "", of: () => "" },
        real: { commands: [], social: 0 },
        bridge: [bridge],
        exitCode,
      };
      const remarks = verdictOf({ ...ended, issues: { ...ended.issues, forBridge } } as never);
      expect(remarks.filter((one) => one === bridge)).toHaveLength(1);
    }
  });
});
