import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { oldHash } from "../bridge/support/migration.js";
import {
  bcryptOf,
  csvUsers,
  firebaseOf,
  hashConfigOf,
  KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { startHere } from "../support/cli-here.js";
import { expectFailure, jsonLines, printed, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();

/** Exports of every kind that asks for another step, and a file of their passwords. */
function exported(): string {
  const cwd = newFolder();
  const columns = "id,email,password_hash";
  const [one, two] = [bcryptOf("Tr0mbone"), oldHash("Kaz00")];
  const good = `g-1,nora.lind@example.com,${one}`;
  const old = `o-1,piet.blom@example.com,${two}`;
  const bad = `b-1,not an address,${one}`;
  writeInto(cwd, "good.csv", [columns, good].join("\n"));
  writeInto(cwd, "old.csv", [columns, good, old].join("\n"));
  writeInto(cwd, "foreign.csv", [columns, old].join("\n"));
  writeInto(cwd, "mixed.csv", [columns, good, old, bad].join("\n"));
  const { signerKey, memCost, rounds, saltSeparator } = hashConfigOf(KEY);
  const config = { base64_signer_key: signerKey, mem_cost: memCost, rounds };
  const parameters = { ...config, base64_salt_separator: saltSeparator };
  writeInto(cwd, "config.json", JSON.stringify(parameters));
  const scrypt = { id: "s-1", email: "ida.roth@example.com", ...scryptOf("Fl3gelhorn") };
  writeInto(cwd, "users.json", firebaseOf([scrypt]));
  const hashed = { id: "o-2", email: "piet.blom@example.com", hash: two };
  writeInto(cwd, "both.csv", csvUsers([scrypt, hashed]));
  const flawed = { id: "b-2", email: "not an address", hash: one };
  writeInto(cwd, "both.flawed.csv", csvUsers([scrypt, hashed, flawed]));
  writeInto(cwd, "passwords.csv", "user,password\ns-1,Fl3gelhorn\n");
  writeInto(cwd, "typed.csv", "user,password\ng-1,Tr0mbone\n");
  // Of the vendor's account: its name, its client and the file of its secret.
  writeInto(cwd, "acme", "acme-secret");
  const auth0 = new URL("../../fixtures/sources/auth0/users.ndjson", import.meta.url);
  writeInto(cwd, "auth0.ndjson", readFileSync(auth0, "utf8"));
  return cwd;
}

/** What a service ends by, so that it only begins. */
async function served(args: readonly string[], cwd: string): Promise<void> {
  const { PATH = "", HOME = "" } = process.env;
  const service = await startHere(args, { cwd, env: { PATH, HOME, NO_COLOR: "1" } });
  await service.stop();
}

const MOST = 12;

/** Runs a command and then each that it prints, and those that they print; what each ended with. */
async function followed(first: string, cwd: string, env = {}): Promise<[string, number | null][]> {
  const done: [string, number | null][] = [];
  const open = [`auth-migrate ${first}`];
  for (let command = open.shift(); command !== undefined; command = open.shift()) {
    // Rows that nobody mends are rejected again, without an end.
    if (done.length > MOST) break;
    if (done.some(([one]) => one === command)) continue;
    // A core of one's own has a test of its own.
    if (command.includes(" --core URL ")) continue;
    // Of two ways, the one without the bridge is closed once the other was gone.
    const isKept = done.some(([one]) => / import .*--vault /.test(one));
    if (isKept && / import (?!.*--vault )/.test(command)) continue;
    // A proof takes no vault, so that the import behind it names the usual one.
    const vaults = [command, ...done.map(([one]) => one)].flatMap(
      (one) => / import .*--vault (\S+)/.exec(one)?.[1] ?? [],
    );
    if (/ --prove .*--vault /.test(command) && new Set(vaults).size > 1) continue;
    const args = command.split(" ").slice(1);
    if (args[0] === "bridge" && !args.includes("--new-key")) {
      const filled = args.map((word) => word.replace(/YOUR-[\w-]+/, "acme"));
      if (filled.some((word, at) => word !== args[at])) {
        const { code, stderr } = await runCli(args, { cwd, env });
        expect([code, stderr]).toEqual([2, expect.stringContaining("placeholder")]);
        args.splice(0, args.length, ...filled);
      }
      await served(args, cwd);
      done.push([command, 0]);
      continue;
    }
    // No terminal asks for passwords here.
    const isScrypt = /^(?:users|both)\./.test(args[1] ?? "");
    if (args[0] === "prove") {
      expect(args.splice(-2, 2, "--passwords", isScrypt ? "passwords.csv" : "typed.csv")).toEqual([
        "--passwords",
        "FILE",
      ]);
    }
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    const ends = / import .*--accept-rejects /.test(command) ? [0] : [0, 65];
    expect(ends, `${command}\n${stdout}\n${stderr}`).toContain(code);
    done.push([command, code]);
    const named = printed(stdout);
    expect(new Set(named).size, stdout).toBe(named.length);
    open.push(...named);
  }
  return done;
}

const BRIDGE = "--on-unusable-hash bridge";
const SETUP = "--no-input --skip-proof";
const CONFIG = "--hash-config config.json";

describe("every command that a screen names as next", () => {
  it.each([
    [`import old.csv --dry-run ${BRIDGE} --vault kept.vault`, ["prove", "bridge", "import"]],
    [`validate old.csv ${BRIDGE} --limit 1`, ["prove", "bridge", "import", "import"]],
    [`validate mixed.csv ${BRIDGE} --fields`, ["prove", "validate", "bridge", "import"]],
    ["import mixed.csv --rejects-out r.csv", ["prove", "import", "bridge"]],
    [`import users.json ${CONFIG}`, ["prove"]],
    [`validate both.csv ${CONFIG} ${BRIDGE}`, ["prove", "bridge", "import", "bridge"]],
    [`validate both.flawed.csv ${CONFIG} ${BRIDGE}`, ["validate", "bridge", "import", "prove"]],
    [`validate auth0.ndjson ${BRIDGE} --upstream auth0`, ["validate", "bridge", "import"]],
    ["validate foreign.csv", ["bridge", "import", "bridge"]],
    ["import foreign.csv", ["bridge", "import", "bridge"]],
    ["validate auth0.ndjson", ["bridge", "import"]],
    ["import auth0.ndjson", ["bridge", "import"]],
    [
      `setup good.csv --data auth-core.db ${SETUP}`,
      ["check-source", "import", "prove", "reconcile"],
    ],
    [`setup old.csv --data auth-core.db ${SETUP}`, ["check-source", "validate", "bridge"]],
    ["cutover --checkpoint auth-migrate.checkpoint", ["cutover", "status"]],
    ["cutover --revoke", ["status", "reconcile"]],
    ["undo --dry-run --assume-never-signed-in", ["undo", "status", "import"]],
  ] as [string, string[]][])("works as printed, behind %s", async (first, verbs) => {
    const cwd = exported();
    if (/^(?:cutover|undo)/.test(first)) await runCli(["import", "good.csv"], { cwd });
    const done = await followed(first, cwd);
    const [_, ...next] = done.map(([command]) => command.split(" ")[1]);
    expect(next.slice(0, verbs.length)).toEqual(verbs);
  });

  it("makes no key that is there", async () => {
    const cwd = exported();
    await runCli(["bridge", "--new-key", "vault.key"], { cwd });
    for (const first of [
      `setup old.csv --data auth-core.db ${SETUP}`,
      "validate old.csv",
      `validate old.csv ${BRIDGE}`,
      `prove old.csv ${BRIDGE} --passwords typed.csv`,
    ]) {
      const { stdout } = await runCli(first.split(" "), { cwd });
      expect(stdout).not.toContain("--new-key");
    }
  });

  it("is the import of a file that was left open, until which no other one says that it is done", async () => {
    const cwd = exported();
    await runCli(["import", "both.csv", "--hash-config", "config.json", "--limit", "1"], { cwd });
    const { code, stdout } = await runCli(["import", "good.csv"], { cwd });
    expect(stdout).toContain("1 open");
    expect(stdout).not.toContain("Done");
    expect(code).toBe(0);
    expect(printed(stdout).at(-1)).toBe("auth-migrate import both.csv");
  });

  it.each(["auth-core.db", "rehearsal.db"])(
    "is after a rehearsal in %s, and after that of its mended rejects, the import into a core of one's own, beside it",
    async (data) => {
      const cwd = exported();
      const core = await serveHere({ cwd: newFolder() });
      const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
      const run = (command: string) => runCli(command.split(" ").slice(1), { cwd, env });
      await runCli(["bridge", "--new-key", "vault.key"], { cwd });
      const kept = `${BRIDGE} --vault users.vault --vault-key-file vault.key`;
      const first = await run(
        `auth-migrate import mixed.csv ${kept} --data ${data} --accept-rejects 1 --rejects-out r.csv`,
      );
      const mended = readFileSync(join(cwd, "r.csv"), "utf8");
      writeInto(cwd, "r.csv", mended.replace("not an address", "lea.holm@example.com"));
      const [mend = "", ...more] = printed(first.stdout).filter((one) => / import /.test(one));
      const second = await run(mend);
      const named = printed(second.stdout).filter((one) => one.includes(" --core URL "));
      expect([named.slice(0, 1), named.length]).toEqual([more, 2]);
      const [whole = "", rest = ""] = named.map((one) => one.replace(" URL ", ` ${core.url} `));
      // Rejects of these would stand unmended beside those that are mended.
      expect(named.join()).not.toContain("--rejects-out");
      // What a reader tries who adds less: each refusal names all that works.
      const both = /--checkpoint FILE.*--vault FILE/;
      const less = whole.replace(/ --checkpoint.*/, "");
      for (const [words, code] of [
        [less, "checkpoint_other_core"],
        [`${less} --checkpoint real.checkpoint`, "vault_missing"],
      ] as const) {
        const args = `${words} --vault users.vault`.split(" ").slice(1);
        await expectFailure(args, { cwd, env }, { code, says: /belongs to an/, next: both });
      }
      const before = readFileSync(join(cwd, "auth-migrate.checkpoint"));
      for (const [command, standing] of [
        [whole, { users: 3, imported: 2, rejected: 1 }],
        [rest, { users: 3, imported: 3, rejected: 0 }],
      ] as const) {
        const there = await run(`${command} --json`);
        expect(summaryOf(there.stdout), there.stderr).toMatchObject({
          ...{ core: { kind: "remote" }, checkpoint: "real.checkpoint", exitCode: 0, standing },
        });
      }
      expect(readFileSync(join(cwd, "auth-migrate.checkpoint")).equals(before)).toBe(true);
      expect(existsSync(join(cwd, "real.vault"))).toBe(true);
      // Each checkpoint knows where a later import goes, and with which vault.
      const newer = `${readFileSync(join(cwd, "mixed.csv"), "utf8")}\nn-1,,`;
      for (const name of ["one.csv", "two.csv"]) writeInto(cwd, name, newer);
      const options = { "real.checkpoint": `--core ${core.url} `, "auth-migrate.checkpoint": "" };
      for (const [checkpoint, where] of Object.entries(options)) {
        for (const words of ["validate one.csv", "prove two.csv --passwords typed.csv"]) {
          const { stdout } = await run(`auth-migrate ${words} --checkpoint ${checkpoint}`);
          const next = printed(stdout).filter((one) => / import /.test(one));
          expect(next.join("\n")).toContain(where);
          expect(next.length, stdout).toBe(1);
          const done = await run(next[0] ?? "");
          expect([0, 65], done.stderr).toContain(done.code);
        }
      }
      await core.stop();
    },
  );

  it("works as printed where a core was asked", async () => {
    const cwd = exported();
    const core = await serveHere({ cwd: newFolder() });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const first = `validate good.csv --core ${core.url} --check-existing 5`;
    const done = await followed(first, cwd, env);
    expect(done.slice(1).map(([command]) => command.split(" ")[1])).toEqual([
      "prove",
      "import",
      "import",
      "reconcile",
      "cutover",
      "cutover",
      "status",
    ]);
    expect(done.at(-2)?.[0]).toContain("cutover --revoke");
    await core.stop();
  });

  it("stands in the machine output as well, in the same order", async () => {
    const cwd = exported();
    for (const first of [`validate old.csv ${BRIDGE}`, `validate users.json ${CONFIG}`]) {
      const { stdout: text } = await runCli(first.split(" "), { cwd });
      const { stdout } = await runCli([...first.split(" "), "--json"], { cwd });
      const next = printed(text).map((command) =>
        command.replace(first.slice(9), `${first.slice(9)} --json`),
      );
      expect(summaryOf(stdout).next).toEqual(next);
    }
    const made = await runCli(["bridge", "--new-key", "vault.key", "--json"], { cwd });
    expect(jsonLines(made.stdout)).toEqual([
      { type: "vault-key", v: 1, file: "vault.key", exitCode: 0 },
    ]);
    const vault = "--vault users.vault --vault-key-file vault.key";
    const bridged = `import old.csv ${BRIDGE} ${vault} --json`.split(" ");
    const { stdout } = await runCli(bridged, { cwd });
    expect(summaryOf(stdout).next).toEqual([
      `auth-migrate prove old.csv ${BRIDGE} --json --data auth-core.db --passwords FILE`,
      `auth-migrate bridge ${vault}`,
      "auth-migrate reconcile",
      `auth-migrate import old.csv ${BRIDGE} --vault-key-file vault.key --json --core URL --checkpoint real.checkpoint --vault real.vault`,
    ]);
  });
});

it("fits 80 columns as an example of any command's help, or breaks behind an option", async () => {
  const cwd = newFolder();
  const verbs = await loadVerbs();
  for (const name of verbs.keys()) {
    const { stdout } = await runCli(["help", ...name.split(" ")], { cwd });
    const [, examples = ""] = /\nExamples:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    expect(examples).toContain("auth-migrate");
    for (const line of examples.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  }
});
