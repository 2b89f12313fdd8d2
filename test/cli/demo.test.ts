import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runCli, type ServedCore, serveHere } from "../support/cli.js";
import {
  everyone,
  HASH_CONFIG,
  IMPORT_DEMO,
  jsonLines,
  PASSWORDS,
  PROBLEMS,
  signIn,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();

describe("the demo export, imported into the embedded core", () => {
  let folder: string;
  let result: CliResult;
  let core: ServedCore;

  beforeAll(async () => {
    folder = workFolder();
    result = await runCli([...IMPORT_DEMO, "--prove", PASSWORDS], { cwd: folder });
    core = await serveHere({ cwd: folder, args: ["--hash-config", HASH_CONFIG] });
  });
  afterAll(() => core.stop());

  it("ends with exit code 0 and a summary for people on stdout", () => {
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toMatch(
      /^240 of 245 users are at the core \(98 %\), 5 skipped\.\n245 rows of csv into the embedded core auth-core\.db, /,
    );
    expect(result.stdout).toMatch(/imported +180 .*bcrypt 110, argon2 30,\s+vendor_scrypt 40/);
    expect(result.stdout).toMatch(/created +60 /);
    expect(result.stdout).toMatch(/skipped +5 /);
    expect(result.stdout).not.toMatch(/rejected|failed|pending/);
    expect(result.stdout.trimEnd().split("\n").slice(-6)).toEqual([
      "Done: every row has an outcome.",
      "To check it at the core:",
      "  auth-migrate reconcile",
      "This was a rehearsal: no --core was given. To bring these users to your core;",
      "--bulk always keeps the sign-up day of each:",
      expect.stringMatching(
        /^ {2}auth-migrate import .* --core URL --bulk always --checkpoint real\.checkpoint$/,
      ),
    ]);
  });

  it("says first what is done already, when it is run again", async () => {
    const again = await runCli(IMPORT_DEMO, { cwd: folder });
    expect(again.stderr).toContain(
      "Going on: 240 of 245 users are at the core (98 %), 5 skipped.\n",
    );
    expect(result.stderr).not.toContain("Going on");
  });

  it("says on stderr which core the users go into, and of the proof behind that", () => {
    const [target, proof] = result.stderr.split("\n");
    expect(proof).toMatch(/^Proved: /);
    expect(target).toMatch(/into the embedded core auth-core\.db/);
  });

  it("leaves data file and checkpoint for their owner alone, with nothing beside them", () => {
    const names = readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(names.sort()).toEqual([
      "auth-core.db",
      "auth-migrate.checkpoint",
      "auth-migrate.checkpoint.lock",
    ]);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it.each(
    readFileSync(PASSWORDS, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line, index) => {
        const [email = "", password = "", ...tool] = line.split(",");
        return [index + 1, tool.join(","), email, password] as const;
      }),
  )(
    "lets user %i sign in with the password that %s hashed, and no other",
    async (_number, _tool, email, password) => {
      expect(await signIn(core, email, password)).toBe("OK");
      expect(await signIn(core, email, `${password} `)).toBe("WRONG_CREDENTIALS_ERROR");
    },
  );

  it("has every passwordless user under each contact of the export, and nobody disabled", async () => {
    const rows = readFileSync(USERS, "utf8").trim().split("\n").slice(1);
    const expected = rows.flatMap((row) => {
      const [, email, , phone, , ...rest] = row.split(",");
      const [hash, , disabled] = rest.slice(-4);
      if (disabled === "true") return [];
      const contacts = { email: email || undefined, phone: phone || undefined };
      return hash === ""
        ? [JSON.stringify(["passwordless", contacts.email, contacts.phone])]
        : [JSON.stringify(["emailpassword", contacts.email, undefined])];
    });
    const found = await everyone(core);
    expect(found).toEqual(expected.sort());
    expect(found.filter((user) => /passwordless.*@.*\+1/.test(user))).toHaveLength(20);
  });
});

describe.concurrent("the demo export, imported over the wire", () => {
  it("ends with the same users and the same summary, but for the core", async () => {
    const embedded = workFolder();
    const local = await runCli([...IMPORT_DEMO, "--json"], { cwd: embedded });
    const folder = workFolder();
    const remote = await serveHere({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
    const keyFile = writeInto(folder, "core.key", `${remote.apiKey}\n`);
    const at = ["--json", "--core", remote.url, "--api-key-file", keyFile];
    const foreseen = await runCli(["validate", ...IMPORT_DEMO.slice(1), ...at], { cwd: folder });
    const wire = await runCli([...IMPORT_DEMO, ...at], { cwd: folder });
    expect(wire.code, wire.stderr).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      ...["auth-migrate.checkpoint", "auth-migrate.checkpoint.lock", "core.key"],
    ]);

    const { core: localCore, elapsedMs: _, next: _next, ...localSummary } = summaryOf(local.stdout);
    const { core: wireCore, elapsedMs: __, next, ...wireSummary } = summaryOf(wire.stdout);
    expect(next).toEqual([expect.stringMatching(/^auth-migrate prove .* --core /)]);
    expect(summaryOf(foreseen.stdout).carriedUsers).toEqual(wireSummary.carriedUsers);
    // Users may be at a remote core already, so that they are looked up; it takes accounts part by part, and no time of joining.
    const { calls, carried, carriedUsers, notices } = localSummary;
    const none = { lookup: 0, code: 0, consume: 0, update: 0, map: 0, part: 0 };
    expect(calls).toEqual({ ...none, import: 240 });
    const singly = { code: 60, consume: 60, update: 20, import: 180, part: 600 };
    expect(wireSummary).toEqual({
      ...localSummary,
      calls: { ...none, ...singly, lookup: 260 },
      carried: Object(carried).filter((part: unknown) => part !== "joined"),
      carriedUsers: { verified: Object(carriedUsers).verified, metadata: 240 },
      notices: { ...Object(notices), joined_not_migrated: 240 },
    });
    expect(localCore).toEqual({ kind: "embedded", file: "auth-core.db" });
    expect(wireCore).toEqual({ kind: "remote", url: remote.url, dialect: "interface" });

    const served = await serveHere({ cwd: embedded });
    expect(await everyone(remote)).toEqual(await everyone(served));
    expect(await signIn(remote, "zoe.yilmaz.141@example.com", "Yilmaz-Zoe-141!")).toBe("OK");
    await Promise.all([remote.stop(), served.stop()]);
  });
});

describe.concurrent("the demo export with bad rows", () => {
  it("tells each reject and skip as a JSON line under the row's number", async () => {
    const { code, stdout } = await runCli(["import", PROBLEMS, "--json"], { cwd: workFolder() });
    expect(code).toBe(65);
    const lines = jsonLines(stdout);
    const rows = lines.filter(({ type }) => type === "reject" || type === "skip");
    expect(rows).toHaveLength(11);
    for (const row of rows) {
      expect(row).toEqual({
        type: row.type,
        v: 1,
        row: { file: PROBLEMS, number: expect.any(Number), line: expect.any(Number) },
        sourceId: row.code === "row_malformed" ? null : expect.stringMatching(/^p-0/),
        code: expect.stringMatching(/^\w+$/),
        hint: expect.stringMatching(/\.$/),
        // Only of a hash that the bridge keeps.
        ...(row.code === "pbkdf2" && { bridge: true }),
      });
    }
    expect(lines.at(-1)).toMatchObject({ rejected: 10, skipped: 1, imported: 1, created: 1 });
  });
});
