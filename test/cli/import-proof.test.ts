import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bcryptOf,
  csvUsers,
  firebaseOf,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { startGate } from "./gate.js";
import {
  everyone,
  expectFailure,
  IMPORT_DEMO,
  PASSWORDS,
  summaryOf,
  workFolders,
  writeInto,
} from "./support.js";

const newFolder = workFolders();

/** A folder with a Firebase export of two users, their passwords, and hash parameters with a key. */
function exportedUnder(key: Buffer): string {
  const cwd = newFolder();
  const users = ["Tr0mbone", "Kaz00"].map((password, index) => {
    const id = `p-${index + 1}`;
    return { id, email: `player.${index + 1}@example.com`, ...scryptOf(password, { key }) };
  });
  const { signerKey, memCost, rounds, saltSeparator } = hashConfigOf(KEY);
  const config = { base64_signer_key: signerKey, mem_cost: memCost, rounds };
  writeInto(cwd, "users.json", firebaseOf(users));
  writeInto(
    cwd,
    "hash-config.json",
    JSON.stringify({ ...config, base64_salt_separator: saltSeparator }),
  );
  writeInto(cwd, "passwords.csv", "user,password\np-1,Tr0mbone\nplayer.2@example.com,Kaz00\n");
  return cwd;
}

const IMPORT = ["import", "users.json", "--hash-config", "hash-config.json"];
const PROVE = [...IMPORT, "--prove", "passwords.csv"];

describe("import --prove", () => {
  it("stops before anything was sent or written where the signer key is wrong", async () => {
    const cwd = exportedUnder(OTHER_KEY);
    const before = readdirSync(cwd).toSorted();
    await expectFailure(
      PROVE,
      { cwd },
      {
        code: "proof_failed",
        says: /user 1 of passwords\.csv \(users\.json, row 1\) couldn't be proved, wrong_signer_key, and 1 more of 2 failed/,
        next: /users 1 and 2 are right.*base64_signer_key/,
      },
    );
    expect(readdirSync(cwd).toSorted()).toEqual(before);
  });

  it("hasn't sent a remote core any user by then", async () => {
    const cwd = exportedUnder(OTHER_KEY);
    const before = readdirSync(cwd);
    const served = await serveHere({ cwd: newFolder() });
    const gate = await startGate(served, 1000);
    const env = { AUTH_MIGRATE_API_KEY: served.apiKey };
    const { code } = await runCli([...PROVE, "--core", gate.url], { cwd, env });
    expect(code).toBe(78);
    const ofUsers = gate.calls.filter(({ path, body }) => `${path} ${body}`.includes("player."));
    expect(ofUsers).toEqual([]);
    expect(await everyone(served)).toEqual([]);
    expect(readdirSync(cwd)).toEqual(before);
    await gate.close();
    await served.stop();
  });

  it("leaves no vault behind that the next run couldn't use", async () => {
    const cwd = exportedUnder(KEY);
    await runCli(["bridge", "--new-key", "vault.key"], { cwd });
    const vault = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
    const args = [...PROVE, "--on-unusable-hash", "bridge", ...vault];
    writeInto(cwd, "passwords.csv", "p-1,Tuba\n");
    const before = readdirSync(cwd);
    expect((await runCli(args, { cwd })).code).toBe(78);
    expect(readdirSync(cwd)).toEqual(before);
    writeInto(cwd, "passwords.csv", "p-1,Tr0mbone\n");
    expect((await runCli(args, { cwd })).code).toBe(0);
  });

  it("goes on where everybody is proved, and the summary says so", async () => {
    const cwd = exportedUnder(KEY);
    const { code, stdout } = await runCli([...PROVE, "--require-proof", "--json"], { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ proved: true, imported: 2 });
  });

  it("says without a proof that there is none, and how to get one", async () => {
    const cwd = exportedUnder(KEY);
    const { code, stdout, stderr } = await runCli([...IMPORT, "--json"], { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ proved: false, imported: 2 });
    expect(stderr).toContain("The signer key is not proved; --prove FILE does that");
  });

  it("says where no user in the file can prove the key", async () => {
    const cwd = newFolder();
    const [, bcrypt = ""] = /^(.*,node bcrypt)$/m.exec(readFileSync(PASSWORDS, "utf8")) ?? [];
    writeInto(cwd, "passwords.csv", `user,password,algorithm\n${bcrypt}\n`);
    const args = [...IMPORT_DEMO, "--prove", "passwords.csv", "--limit", "8", "--json"];
    const { stderr } = await runCli(args, { cwd });
    expect(stderr).toContain(
      "The signer key is not proved: no user in passwords.csv has a hash that needs it.",
    );
  });

  it("takes bare hashes for hashes of passwords as typed once some were proved", async () => {
    const cwd = newFolder();
    const users = ["Tr0mbone", "Kaz00"].map((password, index) => {
      return { id: `m-${index}`, email: `m.${index}@example.com`, hash: bcryptOf(password) };
    });
    const text = csvUsers(users);
    writeInto(cwd, "users.csv", text);
    writeInto(cwd, "more.csv", text.replaceAll("m-", "n-").replaceAll("m.", "n."));
    writeInto(cwd, "passwords.csv", "m-0,Tr0mbone\n");
    const validate = await runCli(["validate", "users.csv", "--json"], { cwd });
    expect(summaryOf(validate.stdout).notices).toEqual({ prehash_possible: 2 });
    const prove = ["--prove", "passwords.csv", "--json", "--data"];
    const dry = await runCli(["import", "users.csv", "--dry-run", ...prove, "one.db"], { cwd });
    expect(summaryOf(dry.stdout)).toMatchObject({ notices: {}, ready: { import: 2 } });
    expect(dry.stdout).not.toContain("prehash_possible");
    const one = await runCli(["import", "users.csv", ...prove, "one.db"], { cwd });
    expect(summaryOf(one.stdout)).toMatchObject({ proved: true, notices: {}, imported: 2 });
    // Nobody with an argon2 hash was proved.
    const { passwordHash } = KNOWN_HASHES.argon2;
    const mixed = [...users, { id: "a-1", email: "a.1@example.com", hash: passwordHash }];
    writeInto(cwd, "mixed.csv", csvUsers(mixed).replaceAll(passwordHash, `"${passwordHash}"`));
    const third = ["import", "mixed.csv", ...prove, "three.db", "--checkpoint", "three"];
    const three = await runCli(third, { cwd });
    expect(summaryOf(three.stdout)).toMatchObject({
      proved: true,
      notices: { prehash_possible: 3 },
    });
    // Nobody of the second file was proved: it may come from another application.
    const args = ["import", "users.csv", "more.csv", ...prove, "two.db", "--checkpoint", "two"];
    const two = await runCli(args, { cwd });
    expect(summaryOf(two.stdout)).toMatchObject({ proved: true, notices: { prehash_possible: 4 } });
  });

  it("proves before a dry run, too", async () => {
    const cwd = exportedUnder(OTHER_KEY);
    const failed = await runCli([...PROVE, "--dry-run", "--json"], { cwd });
    expect(failed.code).toBe(78);
    const sound = exportedUnder(KEY);
    const { code, stdout } = await runCli([...PROVE, "--dry-run", "--json"], { cwd: sound });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ command: "validate", ready: { import: 2 } });
    expect(readdirSync(sound)).not.toContain("auth-core.db");
  });
});

describe("import --require-proof", () => {
  it.each([[[]], [["--dry-run"]]])(
    "stops at once without anything to prove with %j",
    async (more) => {
      const cwd = exportedUnder(KEY);
      const before = readdirSync(cwd);
      await expectFailure(
        [...IMPORT, "--require-proof", ...more],
        { cwd },
        { code: "proof_missing", says: /nothing to prove with/, next: /--prove FILE/ },
      );
      expect(readdirSync(cwd)).toEqual(before);
    },
  );

  const NOTHING = { code: "proof_missing", says: /nothing to prove with/, next: /--prove FILE/ };
  const PROVED = "prove users.json --passwords passwords.csv --data auth-core.db";
  const IMPORTED = "import users.json --prove passwords.csv";
  const REQUIRED = ["import", "newer.json", "--require-proof", "--hash-config"];

  it.each([PROVED, IMPORTED])(
    "takes the proof of the same key that the checkpoint has of: %s",
    async (by) => {
      const cwd = exportedUnder(KEY);
      const late = { id: "p-3", email: "player.3@example.com", ...scryptOf("Ocar1na") };
      writeInto(cwd, "newer.json", firebaseOf([late]));
      const config = readFileSync(join(cwd, "hash-config.json"), "utf8");
      writeInto(cwd, "other.json", config.replace(/(signer_key":")..../, "$1AAAA"));
      await expectFailure([...REQUIRED, "hash-config.json"], { cwd }, NOTHING);
      const proof = [...by.split(" "), "--hash-config", "hash-config.json"];
      expect((await runCli(proof, { cwd })).code).toBe(0);
      const dry = await runCli([...REQUIRED, "hash-config.json", "--dry-run"], { cwd });
      expect(dry.code, dry.stderr).toBe(0);
      const other = {
        code: "proof_missing",
        says: /signer key is not what an earlier run has proved/,
      };
      await expectFailure(
        [...REQUIRED, "other.json"],
        { cwd },
        { ...other, next: /Give what was proved/ },
      );
      const { code, stderr, stdout } = await runCli([...REQUIRED, "hash-config.json"], { cwd });
      expect(code, stderr).toBe(0);
      expect(stderr).toContain("Proved by an earlier run: key and parameters are still the same.");
      expect(stdout).toContain("Proved: 2 known passwords verify against what the core gets");
    },
  );

  it("takes none of a checkpoint whose users nothing has proved", async () => {
    const cwd = exportedUnder(KEY);
    expect((await runCli(IMPORT, { cwd })).code).toBe(0);
    for (const more of [[], ["--dry-run"]]) {
      await expectFailure([...IMPORT, "--require-proof", ...more], { cwd }, NOTHING);
    }
  });

  it("takes the proof of plain hashes for another file of the same source, and for no other", async () => {
    const cwd = newFolder();
    const [one, two, three] = [1, 2, 3].map((at) =>
      csvUsers([{ id: `m-${at}`, email: `m.${at}@example.com`, hash: bcryptOf("Tr0mbone") }]),
    );
    writeInto(cwd, "users.csv", `${one}`);
    // A column more, which says nothing of id, email or hash.
    writeInto(cwd, "newer.csv", `nickname,${two}`.replace("\nm", "\nMo,m"));
    writeInto(cwd, "other.csv", `${three}`.replace("id", "member_id"));
    writeInto(cwd, "passwords.csv", "m-1,Tr0mbone\n");
    await runCli(["import", "users.csv", "--prove", "passwords.csv"], { cwd });
    await expectFailure(["import", "other.csv", "--require-proof"], { cwd }, NOTHING);
    const same = await runCli(["import", "newer.csv", "--require-proof", "--json"], { cwd });
    expect(same.code, same.stderr).toBe(0);
    expect(same.stderr).toContain("Proved by an earlier run: a test user of the same source");
    expect(summaryOf(same.stdout)).toMatchObject({ imported: 1, notices: {} });
  });

  it("stops where vendor scrypt hashes are to be sent and only others were proved", async () => {
    const cwd = newFolder();
    const lines = readFileSync(PASSWORDS, "utf8").split("\n");
    writeInto(cwd, "passwords.csv", lines.slice(0, 5).join("\n"));
    const core = await serveHere({ cwd });
    const gate = await startGate(core, 1000);
    const args = [...IMPORT_DEMO, "--prove", "passwords.csv", "--core", gate.url];
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    await expectFailure(
      [...args, "--require-proof"],
      { cwd, env },
      { code: "proof_missing", says: /no user with one was proved/, next: /--prove/ },
    );
    expect(gate.calls.filter(({ path }) => path.includes("passwordhash"))).toEqual([]);
    await gate.close();
    await core.stop();
    const { code, stdout } = await runCli([...args.slice(0, -2), "--json"], { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ proved: false, imported: 180 });
  });
});
