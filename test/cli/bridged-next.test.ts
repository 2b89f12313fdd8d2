import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
import { describe, expect, it } from "vitest";
import { Vault } from "../../src/vault/vault.js";
import { VAULT_KEY } from "../bridge/support/bridged-users.js";
import { oldHash } from "../bridge/support/migration.js";
import { runCli } from "../support/cli.js";
import { startHere } from "../support/cli-here.js";
import { expectFailure, summaryOf, workFolders, writeInto } from "./support.js";

const SOURCES = new URL("../../fixtures/sources/", import.meta.url);
const newFolder = workFolders();
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
const WANTED = {
  code: "vault_missing",
  says: /old hashes of 3 users are in the vault that was named users\.vault last/,
  next: /--on-unusable-hash bridge.*--vault users\.vault.*--vault-key-file FILE/,
};
const BRIDGED = ["--no-input", "--on-unusable-hash", "bridge", ...VAULT];

/** A table of readers with hashes that no core takes, and a vault's key. */
async function folder(): Promise<string> {
  const cwd = newFolder();
  const rows = ["Tr0mbone", "k1ngfisher", "per1winkle"].map(
    (password, n) => `r-${n},reader.${n}@example.com,${oldHash(password)}`,
  );
  writeInto(cwd, "readers.csv", ["id,email,password_hash", ...rows].join("\n"));
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  return cwd;
}

/** A screen's text in one line each paragraph, and the shell's lines that go on. */
function unwrapped(text: string): string {
  return text.replaceAll(/ *\\\n */g, " ").replaceAll(/\s+/g, " ");
}

describe("passwords that the bridge would keep", () => {
  it("are said to be so where their rows are rejected, by validate, import and hash", async () => {
    const cwd = await folder();
    for (const verb of ["validate", "import"]) {
      const { code, stdout } = await runCli([verb, "readers.csv", "--no-input"], { cwd });
      expect(code).toBe(65);
      expect(unwrapped(stdout)).toContain(
        "keep these passwords with --on-unusable-hash bridge (docs/bridge.md), or move these users with --on-unusable-hash passwordless",
      );
    }
    const { stdout } = await runCli(["hash", "--json"], { cwd, stdin: `${oldHash("Tr0mbone")}\n` });
    expect(JSON.parse(stdout)).toMatchObject({ hint: expect.stringContaining("bridge") });
  });
});

it("hashes are said to be the bridge's where it keeps them, and no others of the same code", async () => {
  const cwd = await folder();
  // Its salt is longer than any software's.
  const others = [
    `r-7,reader.7@example.com,{SSHA}${Buffer.alloc(120, 7).toString("base64")}`,
    `r-8,,${oldHash("Tr0mbone")}`,
  ];
  const text = readFileSync(join(cwd, "readers.csv"), "utf8");
  const rows = [text.trimEnd(), ...others].join("\n").replaceAll("\n", ",\n");
  writeInto(cwd, "readers.csv", `${rows.replace("hash,\n", "hash,phone\n")},+15550100008`);
  for (const verb of ["validate", "import"]) {
    const { stdout } = await runCli([verb, "readers.csv", "--no-input"], { cwd });
    expect(unwrapped(stdout)).toContain("3 of these users have hashes that no core takes.");
  }
  const { stdout } = await runCli(["import", "readers.csv", ...BRIDGED, "--json"], { cwd });
  expect(summaryOf(stdout)).toMatchObject({ imported: 3, bridged: 3, rejected: 2 });
});

/** Rows that no bridge helps, beside those that it does, by why; and the options with which they are read. */
const BESIDE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["no others", [], []],
  ["a damaged hash and no contact", ["r-7,reader.7@example.com,$2b$04$short,", "r-8,,,"], []],
  [
    "a second factor that isn't carried",
    [`r-7,reader.7@example.com,${oldHash("Tr0mbone")},true`],
    ["--on-lost-factor", "reject"],
  ],
  ["an id that can't be kept", [`,reader.7@example.com,${oldHash("Tr0mbone")},`], ["--keep-ids"]],
];

it.each(BESIDE)(
  "the import that is named where the bridge takes some of the rejects ends with 0: beside %s",
  async (_why, others, options) => {
    for (const verb of ["validate", "import"]) {
      const cwd = await folder();
      const text = readFileSync(join(cwd, "readers.csv"), "utf8").replaceAll("\n", ",\n");
      const accepted = `r-9,reader.9@example.com,${hashSync("per1winkle", 4)},`;
      const rows = [`${text.replace("hash,\n", "hash,mfa_enabled\n")},`, accepted, ...others];
      writeInto(cwd, "readers.csv", rows.join("\n"));
      const words = [verb, "readers.csv", "--no-input", "--json", ...options];
      const { code, stdout } = await runCli(words, { cwd });
      expect(code).toBe(65);
      const summary = summaryOf(stdout);
      const next = summary.next as readonly string[];
      expect(summary.rejected).toBe(3 + others.length);
      const named = String(next.at(-1));
      expect(named).toContain("--on-unusable-hash bridge");
      expect(named.includes(`--accept-rejects ${others.length}`)).toBe(others.length > 0);
      const imports = next.filter(
        (one) => / import /.test(one) && !one.includes(" --rejects-out "),
      );
      expect(imports).toEqual([named]);
      const done = await runCli(named.split(" ").slice(1), { cwd });
      expect(done.code, done.stderr).toBe(0);
      expect(summaryOf(done.stdout)).toMatchObject({ bridged: 3, rejected: others.length });
    }
  },
);

it.each([
  ["auth0", "users.ndjson"],
  ["cognito", "users.json"],
  ["okta", "users.json"],
])("users whose passwords are at %s alone have --upstream named", async (vendor, file) => {
  const cwd = newFolder();
  const bytes = readFileSync(new URL(`${vendor}/${file}`, SOURCES));
  writeInto(cwd, file, bytes.toString());
  const told = `With --on-unusable-hash bridge and --upstream ${vendor}`;
  for (const verb of ["validate", "import"]) {
    const { stdout } = await runCli([verb, file, "--no-input"], { cwd });
    expect(unwrapped(stdout)).toContain(told);
  }
  const asked = ["--on-unusable-hash", "bridge", "--upstream", vendor];
  const { stdout } = await runCli(["validate", file, "--no-input", ...asked], { cwd });
  expect(unwrapped(stdout)).not.toContain(told);
  // The start of the bridge names all that it is to be given of the vendor's account, and takes no placeholder.
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  const imported = await runCli(["import", file, "--no-input", ...asked, ...VAULT], { cwd });
  const text = unwrapped(imported.stdout);
  const [start = ""] = text.slice(text.lastIndexOf("auth-migrate bridge ")).split(" To ");
  expect(start.includes("--upstream-secret-file")).toBe(vendor !== "okta");
  const words = start.trim().split(" ").slice(1);
  const expected = { code: "usage", says: /placeholder/, next: /--upstream-url/ };
  await expectFailure(words, { cwd }, expected);
});

it("validate names the bridge's import last, and none that leaves the passwords behind", async () => {
  const cwd = newFolder();
  writeInto(cwd, "users.ndjson", readFileSync(new URL("auth0/users.ndjson", SOURCES)).toString());
  const { code, stdout } = await runCli(["validate", "users.ndjson", "--no-input"], { cwd });
  expect(code).toBe(65);
  const text = unwrapped(stdout);
  expect(text).not.toContain("--accept-rejects");
  expect(text).toContain(
    "Users with an unverified email (contact_unverified) then come along as well, unless the export shows that they have no password there.",
  );
  expect(text.slice(text.lastIndexOf("auth-migrate import"))).toContain("--upstream auth0");
});

it("the import names what brings the passwords of those whose sign-ins no core tells, and of whom none comes along", async () => {
  const cwd = newFolder();
  writeInto(cwd, "users.ndjson", readFileSync(new URL("auth0/users.ndjson", SOURCES)).toString());
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  const first = await runCli(["import", "users.ndjson", "--no-input"], { cwd });
  const text = unwrapped(first.stdout);
  expect(text).toContain("The passwords of 5 users are at auth0 alone.");
  expect(text).toMatch(/as of those with a social account: for them add --assume-never-signed-in/);
  // Of those brought, not of those rejected.
  expect(text).toMatch(/created 10 .* no hash 5 of those brought .* skipped 6/);
  const asked = ["import", "users.ndjson", ...BRIDGED, "--upstream", "auth0", "--change-kind"];
  const { stdout } = await runCli(asked, { cwd });
  // Those two are counted among the users at the core as before.
  expect(unwrapped(stdout)).toContain(
    "13 of 23 users are at the core (57 %), 4 rejected, 6 skipped. Rows that can't be read, or whose user or contact is counted already: 2 rejected (plan_kind_changed 2).",
  );
  // By Auth0's passwordless connection this user has no password there.
  expect(unwrapped(stdout)).toContain("contact_unverified 1 users.ndjson, row 10");
  const vouched = await runCli([...asked, "--assume-never-signed-in", "--json"], { cwd });
  expect(summaryOf(vouched.stdout)).toMatchObject({
    bridged: 2,
    standing: { imported: 8, otherRows: { rejects: {} } },
  });
});

describe("after a bridged import", () => {
  it("the bridge is the next step, before the core is asked, in the summary, status and report", async () => {
    const cwd = await folder();
    const start =
      /auth-migrate bridge --vault users\.vault --vault-key-file vault\.key\b.*auth-migrate reconcile/;
    for (const _run of ["the first", "one more"]) {
      const { code, stdout } = await runCli(["import", "readers.csv", ...BRIDGED], { cwd });
      expect(code).toBe(0);
      expect(unwrapped(stdout)).toMatch(start);
      expect(stdout).not.toMatch(/Notices.*\bbridged\b/s);
      for (const says of [
        "The old passwords of 3 bridged users who haven't signed in by the bridge yet depend on the vault users.vault, and work only while the bridge runs with it.",
        "--core URL --checkpoint real.checkpoint --vault real.vault",
      ]) {
        expect(unwrapped(stdout)).toContain(says);
      }
    }
    for (const verb of ["status", "report"]) {
      const { stdout } = await runCli([verb], { cwd });
      expect(unwrapped(stdout)).toMatch(start);
    }
  });
});

it("status names the whole start of the bridge, and says so once it runs", async () => {
  const cwd = await folder();
  await runCli(["import", "readers.csv", ...BRIDGED], { cwd });
  const ask = async () => unwrapped((await runCli(["status"], { cwd })).stdout);
  const [, words = ""] = /To start it: auth-migrate (bridge .*?) No run/.exec(await ask()) ?? [];
  expect(words).toContain("--vault users.vault --vault-key-file vault.key");
  const { PATH = "", HOME = "" } = process.env;
  const bridge = await startHere([...words.split(" "), "--port", "0"], {
    cwd,
    env: { PATH, HOME },
  });
  const during = await ask();
  await bridge.stop();
  expect(during).toContain("depend on the vault users.vault. The bridge runs with it:");
  expect(during).not.toContain("To start it");
  expect(await ask()).toContain("To start it: auth-migrate bridge");
});

describe("the vault on which bridged users depend", () => {
  const path = (cwd: string, name: string): string => join(cwd, name);

  it.each([
    [
      "latest",
      "passwords of 3 bridged users who haven't signed in by the bridge yet depend on the vault users.vault,",
      () => {},
    ],
    [
      "missing",
      "depend on the vault users.vault, which isn't there",
      (cwd) => rmSync(path(cwd, "users.vault")),
    ],
    [
      "other",
      "depend on the vault users.vault, which is another one by now",
      (cwd) => {
        rmSync(path(cwd, "users.vault"));
        const binding = { migration: "another", core: "another" };
        Vault.open(path(cwd, "users.vault"), { key: VAULT_KEY, binding }).close();
      },
    ],
    [
      "older",
      "depend on the vault users.vault, which is an older copy by now",
      async (cwd) => {
        copyFileSync(path(cwd, "users.vault"), path(cwd, "copy"));
        writeInto(cwd, "newer.csv", `id,email,password_hash\nr-9,nine@example.com,${oldHash("n")}`);
        await runCli(["import", "newer.csv", ...BRIDGED], { cwd });
        copyFileSync(path(cwd, "copy"), path(cwd, "users.vault"));
      },
    ],
    [
      "unreadable",
      "depend on the vault users.vault, which can't be read",
      (cwd) => writeInto(cwd, "users.vault", "overwritten"),
    ],
  ] as [string, string, (cwd: string) => unknown][])(
    "is named by status, report and reconcile, and what became of it: %s",
    async (found, says, befall) => {
      const cwd = await folder();
      await runCli(["import", "readers.csv", ...BRIDGED], { cwd });
      await befall(cwd);
      for (const verb of ["status", "report", "reconcile"]) {
        const { stdout } = await runCli([verb], { cwd });
        expect(unwrapped(stdout)).toContain(says);
        const { stdout: lines } = await runCli([verb, "--json"], { cwd });
        const end = JSON.parse(lines.trimEnd().split("\n").at(-1) ?? "");
        expect(end.vault ?? end.status.vault).toMatchObject({ file: "users.vault", found });
      }
    },
  );

  it("is wanted by an import that takes none, which names the options, and not by a proof", async () => {
    const cwd = await folder();
    const data = ["--data", "core.db"];
    await runCli(["import", "readers.csv", ...BRIDGED, ...data], { cwd });
    const newer = `id,email,password_hash\nr-9,nine@example.com,${hashSync("per1winkle", 4)}`;
    writeInto(cwd, "newer.csv", newer);
    writeInto(cwd, "known.csv", "email,password\nnine@example.com,per1winkle");
    await expectFailure(["import", "newer.csv", "--no-input", ...data], { cwd }, WANTED);
    const proof = ["prove", "newer.csv", "--no-input", ...data, "--passwords", "known.csv"];
    expect(await runCli(proof, { cwd })).toMatchObject({ code: 0 });
    const { code } = await runCli(["import", "newer.csv", ...BRIDGED, ...data], { cwd });
    expect(code).toBe(0);
  });

  it("is asked for by an undo, whose dry run needs none and names it", async () => {
    const cwd = await folder();
    await runCli(["import", "readers.csv", ...BRIDGED, "--data", "core.db"], { cwd });
    const undo = ["undo", "--data", "core.db", "--assume-never-signed-in"];
    const dry = await runCli([...undo, "--dry-run"], { cwd });
    expect(unwrapped(dry.stdout)).toMatch(
      /would remove 3 users\. Old passwords of some are in the bridge's vault\. .* To remove them: auth-migrate undo --data core\.db --assume-never-signed-in --vault users\.vault --vault-key-file vault\.key --yes $/,
    );
    const says = /3 users' old hashes are in the vault users\.vault, and no vault is named/;
    await expectFailure([...undo, "--yes"], { cwd }, { code: "usage", says, next: /--vault/ });
    const done = await runCli([...undo, "--yes", ...VAULT], { cwd });
    expect(unwrapped(done.stdout)).toMatch(
      /Removed 3 users\. Where it stands, .* auth-migrate status $/,
    );
    expect(done.code).toBe(0);
    const { stdout } = await runCli(["status"], { cwd });
    expect(unwrapped(stdout)).toContain("goes on: auth-migrate import readers.csv");
  });

  it("is said to be lost of users whom no vault has any more, until they are sealed again", async () => {
    const cwd = await folder();
    await runCli(["import", "readers.csv", ...BRIDGED], { cwd });
    rmSync(path(cwd, "users.vault"));
    const [first, ...others] = readFileSync(path(cwd, "readers.csv"), "utf8").split("\n");
    writeInto(cwd, "one.csv", [first, others[0]].join("\n"));
    await runCli(["import", "one.csv", "--no-input", "--on-unusable-hash", "reseal", ...VAULT], {
      cwd,
    });
    const { stdout } = await runCli(["status"], { cwd });
    expect(unwrapped(stdout)).toMatch(
      /2 users depend on a vault that is lost: .*\(bridge_lost\)\. The old passwords of 1 bridged user who hasn't signed in by the bridge yet depend on the vault users\.vault,/,
    );
  });
});
