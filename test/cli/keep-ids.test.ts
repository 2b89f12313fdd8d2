import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { callCore, jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

const { passwordHash: HASH, password: PASSWORD } = KNOWN_HASHES.bcrypt;
const USERS = `id,email,phone,password_hash
shop-1001,ada@example.com,,${HASH}
shop-1002,ben@example.com,+15550100002,
ben.keller@example.com,,+15550100003,
`;

describe.concurrent("auth-migrate import --keep-ids", () => {
  it("leaves users known by the vendor's ids at the served core, and does nothing when typed again", async () => {
    const cwd = workFolder();
    const parameters = ["import", writeInto(cwd, "users.csv", USERS), "--keep-ids", "--json"];
    const first = await runCli(parameters, { cwd });
    expect(first.code, first.stderr).toBe(0);
    expect(summaryOf(first.stdout)).toMatchObject({
      ...{ imported: 1, created: 2, mapped: 3 },
      // Who has more than a contact comes by one call, with the id.
      calls: { import: 2, code: 1, map: 2 },
    });

    const core = await serveHere({ cwd });
    const ids = ["shop-1001", "shop-1002", "ben.keller@example.com"];
    for (const id of ids) {
      const found = await callCore(core, `/user/id?userId=${encodeURIComponent(id)}`);
      expect(found).toMatchObject({ status: "OK", user: { id } });
    }
    const credentials = { email: "ada@example.com", password: PASSWORD };
    const signedIn = await callCore(core, "/recipe/signin", credentials);
    expect(signedIn).toMatchObject({ status: "OK", user: { id: "shop-1001" } });
    await core.stop();

    const second = await runCli(parameters, { cwd });
    expect(summaryOf(second.stdout)).toMatchObject({
      ...{ unchanged: 3, mapped: 0, notices: {} },
      calls: { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0 },
      exitCode: 0,
    });
  });

  it("tells people how many ids are kept, and last of all which aren't", async () => {
    const cwd = workFolder();
    const file = writeInto(cwd, "users.csv", USERS);
    await runCli(["import", file, "--namespace", "forum", "--checkpoint", "forum"], { cwd });
    const { stdout, code } = await runCli(["import", file, "--keep-ids"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/existed +3 /);
    expect(stdout).toMatch(/\n {2}id_not_kept {3}3 {3}users\.csv, lines 2, 3, 4\n/);
    expect(stdout).not.toContain("keller");
    const ended = stdout.slice(stdout.lastIndexOf("id_not_kept")).split("\n");
    expect(ended).toContain("Done: every row has an outcome.");
  });

  it("leaves an id that is an address in no output and no checkpoint", async () => {
    const cwd = workFolder();
    const file = writeInto(cwd, "users.csv", USERS);
    const outputs = [
      await runCli(["import", file, "--keep-ids"], { cwd }),
      await runCli(["import", file, "--keep-ids", "--json"], { cwd }),
    ];
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain("keller");
    expect(jsonLines(outputs[1]?.stdout ?? "").length).toBeGreaterThan(0);
    const checkpoint = readFileSync(join(cwd, "auth-migrate.checkpoint"));
    expect([checkpoint.includes("shop-1001"), checkpoint.includes("keller")]).toEqual([
      true,
      false,
    ]);
  });
});
