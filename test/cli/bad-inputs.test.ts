import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CONTACT_HINTS } from "../../src/account/contact-hints.js";
import { findingHint } from "../../src/events/findings.js";
import { NO_WAY_IN } from "../../src/plan/plan.js";
import { LEFT } from "../../src/undo/why-left.js";
import { runCli } from "../support/cli.js";
import { expectToFit } from "./screens.js";
import {
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  jsonLines,
  PROBLEMS,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));

const FIREBASE_EXPORT = JSON.stringify({
  users: [
    {
      localId: "uid-ada-brandt",
      email: "ada.brandt@example.com",
      emailVerified: true,
      passwordHash:
        "bG9uZyBlbm91Z2ggdG8gbG9vayBsaWtlIGEgaGFzaCBvZiB0aGUgdmVuZG9yLCA2NCBieXRlcy4uLi4uLi4uLg==",
      salt: "42xEC+ixf3L2lw==",
    },
  ],
});

describe.concurrent("an input that can't be imported", () => {
  it.each(["users.csv", "./users.csv", "same.csv"])(
    "a file that is named a second time, as %s, ends the run with 2 before it is read",
    async (again) => {
      const cwd = workFolder();
      writeInto(cwd, "users.csv", "email\nann@example.com\n");
      symlinkSync("users.csv", join(cwd, "same.csv"));
      const failure = { code: "usage", says: /named twice/, next: /once/ } as const;
      await expectFailure(["import", "users.csv", again], { cwd }, failure);
      expect(readdirSync(cwd).sort()).toEqual(["same.csv", "users.csv"]);
    },
  );

  it("a folder beside what an import writes is read again by the same command", async () => {
    const cwd = workFolder();
    mkdirSync(join(cwd, "exports"));
    writeInto(cwd, "exports/users.csv", "email,email_verified\nann@example.com,true\nben@,true\n");
    const args = ["import", "exports", "--rejects-out", "exports.rejects.csv", "--json"];
    for (const ended of [{ created: 1 }, { unchanged: 1 }]) {
      const { stdout } = await runCli(args, { cwd });
      expect(summaryOf(stdout)).toMatchObject({ ...ended, read: 2, rejected: 1 });
    }
  });

  it("people are told without JSON, too, and stdout stays empty", async () => {
    const { code, stdout, stderr } = await runCli(["validate", "nobody.csv", "--quiet"], {
      cwd: workFolder(),
    });
    expect(code).toBe(66);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      "auth-migrate: nobody.csv does not exist.\nCheck the path; it is relative to the working directory.\n",
    );
  });
});

describe.concurrent("wrong usage", () => {
  it.each([
    [`import ${USERS} --hash-confg x`, /unknown option '--hash-confg'.*--hash-config/s],
    [`migrate ${USERS}`, /unknown command 'migrate'/],
    ["import", /No export was named/],
    [`import ${USERS} --expect-users many`, /--expect-users.*must be a whole number/],
    [`import ${USERS} --on-existing overwrite`, /--on-existing.*skip, update, fail/],
    [`import ${USERS} --map email`, /--map email=mail_address/],
  ])("%s: 2, and where to read on", async (command, says) => {
    const args = [...command.split(" "), "--json"];
    const { code, stdout, stderr } = await runCli(args, { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^auth-migrate: /);
    expect(stderr).toMatch(/Run auth-migrate (?:\w+ )?--help/);
    expect(jsonLines(stdout)).toEqual([
      {
        type: "error",
        v: 1,
        code: "usage",
        message: expect.stringMatching(says),
        hint: expect.stringMatching(/auth-migrate (?:\w+ )?--help/),
        exitCode: 2,
      },
    ]);
  });

  it.each([
    [["import", "users.csv", "--api-key", "key.txt"], "--api-key-file"],
    [["import", "users.csv", "--apiKeyFile", "key.txt"], "--api-key-file"],
    [["import", "users.csv", "--checkpoint-file", "c"], "--checkpoint"],
    [["version"], "--version"],
  ])("%j names what was meant, %s", async (args, meant) => {
    const { code, stderr } = await runCli(args, { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(`(Did you mean ${meant}?)`);
  });

  it("a field that --map misspells is told before the file is judged", async () => {
    const cwd = workFolder();
    writeFileSync(join(cwd, "members.csv"), "nr,post\n7,ann@example.com\n");
    const { code, stderr } = await runCli(["validate", "members.csv", "--map", "emial=post"], {
      cwd,
    });
    expect(code).toBe(66);
    expect(stderr).toContain('--map has no field "emial"');
    const other = await runCli(["validate", "members.csv", "--map", "id=nr"], { cwd });
    expect(other.stderr).toContain(
      "Name what holds the email: --map email=NAME. If it is a vendor",
    );
    // No vendor is meant, so that none is listed.
    expect(other.stderr).not.toContain("firebase");
  });

  it.each([
    ["docs/proof.md#test-users", "# Proof"],
    ["rejects", "# Rejects"],
    ["docs/core/postgresql.md", "#"],
    ["docs/vendors/auth0.md", "# Auth0"],
    ["vendors/auth0", "# Auth0"],
    ["auth0", "# Auth0"],
    ["bridge.md", "# The bridge"],
    ["vendors", "# A guide for each vendor"],
    ["SKILL.md", "---"],
  ])("help shows the page that a message names: %s", async (page, begins) => {
    const { code, stdout } = await runCli(["help", page], { cwd: workFolder() });
    expect(code).toBe(0);
    expect(stdout.startsWith(begins)).toBe(true);
  });

  it.each([
    ["phone_not_migrated", [], "A user with a password or a social account has no place"],
    ["prehash_possible", [], findingHint("prehash_possible")],
    ["phone_invalid", [], CONTACT_HINTS.phone_invalid],
    ["sign_in_unknown", [], LEFT.sign_in_unknown],
    ["no_contact", [], NO_WAY_IN.no_contact],
    ["contact_unverified", [], NO_WAY_IN.contact_unverified],
    ["id_missing", ["rejects.md"], "the row has no id"],
    ["bcrypt_cost", ["hashes.md"], "impossible cost"],
    ["phpass", ["hashes.md", "hashes.md"], "--on-unusable-hash bridge"],
    [
      "vendor_scrypt_built",
      ["hashes.md", "hashes.md", "hashes.md"],
      "It verifies the same passwords.",
    ],
    ["outage", ["exit-codes.md"], ""],
  ])("help of the code %s says what it means, as a screen does", async (typed, pages, says) => {
    const { code, stdout } = await runCli(["help", typed], { cwd: workFolder() });
    expect(code).toBe(0);
    expect(stdout).toContain(`\`${typed}\``);
    expect(stdout).toContain(says);
    expect(stdout.match(/^[\w.-]+(?=: `)/gm) ?? []).toEqual(pages);
  });

  it("help of a code that stands beside a bridged one doesn't name the bridge", async () => {
    const { stdout } = await runCli(["help", "argon2_format"], { cwd: workFolder() });
    expect(stdout).toContain("`argon2_hash_length` *bridged*");
    expect(stdout).not.toContain("--on-unusable-hash bridge");
  });

  it("help of a command names the page of its name, and help pages lists all, in the order of work", async () => {
    const cwd = workFolder();
    expect((await runCli(["help", "bridge"], { cwd })).stdout).toMatch(
      /^Usage: auth-migrate bridge .*\nMore: auth-migrate help bridge\.md\n$/s,
    );
    const { stdout } = await runCli(["help", "pages"], { cwd });
    expectToFit(stdout, 80);
    const order = ["prepare", "vendors/README", "proof", "import", "check", "bridge", "cutover"];
    const places = order.map((name) => stdout.indexOf(`\n  ${name} `));
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
    const files = readdirSync(DOCS, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".md"))) {
      expect(stdout).toContain(`  ${file.replace(/\.md$/, "")} `);
    }
  });

  it("help exit-codes keeps to its screen", async () => {
    const { stdout } = await runCli(["help", "exit-codes"], { cwd: workFolder(), screen: 80 });
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    const piped = await runCli(["help", "exit-codes"], { cwd: workFolder() });
    expect(stdout.replace(/\s+/g, " ")).toBe(piped.stdout.replace(/\s+/g, " "));
  });

  it("help of a page names npx where a line starts the program, and not in an image's name", async () => {
    const [, script = ""] = process.argv;
    process.argv[1] = "/home/kim/.npm/_npx/1a2b/node_modules/.bin/auth-migrate";
    try {
      const env = { npm_lifecycle_event: "npx" };
      const { stdout } = await runCli(["help", "docs/bridge.md"], { cwd: workFolder(), env });
      expect(stdout).toMatch(/^npx auth-migrate bridge /m);
      const help = await runCli(["help", "import"], { cwd: workFolder(), env });
      expect(help.stdout).toContain("options: npx auth-migrate help import --all");
      expect(help.stdout).toMatch(/^More: npx auth-migrate help import\.md$/m);
      const pages = await runCli(["help", "pages"], { cwd: workFolder(), env });
      expect(pages.stdout).toContain("Show one: npx auth-migrate help NAME\n");
      const usage = await runCli(["import", "--shard"], { cwd: workFolder(), env });
      expect(usage.stderr).toContain("Run npx auth-migrate import --help");
      const docker = stdout.match(/^docker run .*(?:\\\n.*)*/gm) ?? [];
      expect(docker.length).toBeGreaterThan(0);
      expect(docker.join("\n")).not.toContain("npx");
    } finally {
      process.argv[1] = script;
    }
  });

  it.each([
    ["undo --core https://core.example.com", "undo --core https://core.example.com --dry-run"],
    ["bridge purge --vault users.vault", "bridge --status --vault users.vault"],
    ["checkpoint purge --checkpoint may.checkpoint", "status --checkpoint may.checkpoint"],
  ])("%s names what to look at by its own options", async (typed, look) => {
    const { code, stderr } = await runCli(typed.split(" "), { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(`Give --yes, or look at it first: auth-migrate ${look}\n`);
  });

  it.each([[], ["--help"], ["import", "--help"], ["--version"]])(
    "%s %s is no error and goes to stdout",
    async (...args) => {
      const { code, stdout, stderr } = await runCli(args, { cwd: workFolder() });
      expect(code).toBe(0);
      expect(stderr).toBe("");
      expect(stdout).toMatch(/help exit-codes|^Usage: auth-migrate|^\d+\.\d+\.\d+\n$/s);
    },
  );
});

describe.concurrent("the vendor account's hash parameters", () => {
  const OTHER_KEY = Buffer.alloc(64, "another project's signer key").toString("base64");

  it("missing where the export needs them: 78, and where to find them", async () => {
    const cwd = workFolder();
    const file = writeInto(cwd, "users.json", FIREBASE_EXPORT);
    await expectFailure(
      ["import", file],
      { cwd },
      {
        code: "hash_config_missing",
        says: /users\.json, row 1 has a scrypt hash/,
        next: /--hash-config FILE/,
      },
    );
  });

  it("not needed where such users come without their password", async () => {
    const cwd = workFolder();
    const file = writeInto(cwd, "users.json", FIREBASE_EXPORT);
    const { code, stdout } = await runCli(["import", file, "--on-unusable-hash", "passwordless"], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/created +1 /);
    expect(stdout).toMatch(/password_not_migrated +1/);
  });

  it("two signer keys that differ: 78, naming both places and neither key", async () => {
    const cwd = workFolder();
    const options = { cwd, env: { VENDOR_PASSWORD_HASHING_SIGNER_KEY: OTHER_KEY } };
    await expectFailure(IMPORT_DEMO, options, {
      code: "config_invalid",
      says: /--hash-config and the one in VENDOR_PASSWORD_HASHING_SIGNER_KEY differ/,
      next: /remove the other/,
    });
    const { stdout, stderr } = await runCli(IMPORT_DEMO, options);
    expect(stdout + stderr).not.toContain(OTHER_KEY);
  });

  it("the same signer key from both places, in either alphabet, is no conflict", async () => {
    const key = /base64_signer_key: (\S+),/.exec(readFileSync(HASH_CONFIG, "utf8"))?.[1] ?? "";
    const urlSafe = Buffer.from(key, "base64").toString("base64url");
    const { code } = await runCli(["import", PROBLEMS, "--hash-config", HASH_CONFIG], {
      cwd: workFolder(),
      env: { VENDOR_PASSWORD_HASHING_SIGNER_KEY: urlSafe },
    });
    expect(code).toBe(65);
  });
});
