import { writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgedSignIns } from "../../src/cli/core-proof.js";
import type { Core } from "../../src/core/core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import type { BeforeBulk, ImportOptions } from "../../src/run/options.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { proveTestUsers } from "../../src/prove/prove-test-users.js";
import { provedUsers } from "../../src/prove/sign-ins.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { allUsers, ELSEWHERE, outcomes } from "./support/run.js";
import { failure, lost } from "./support/scripted-core.js";
import {
  bcryptOf,
  csvUsers,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "./support/test-users.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();

const OTHERS = Array.from({ length: 4 }, (_, index) => {
  return { id: `m-${index}`, email: `m.${index}@example.com`, ...scryptOf(`Tuba ${index}`) };
});
const TEST_USERS = [
  { id: "t-1", email: "ann@example.com", ...scryptOf("Tr0mbone") },
  { id: "t-2", email: "ben@example.com", hash: bcryptOf("Kaz00") },
];
/** Test users stand at the end, so that nothing but a first leg sends them first. */
const EXPORT = csvUsers([...OTHERS, ...TEST_USERS]);
const TESTS = [
  { user: "ann@example.com", password: "Tr0mbone" },
  { user: "t-2", password: "Kaz00" },
];
const EVERYBODY = OTHERS.length + TEST_USERS.length;

interface Trial {
  readonly summary: ImportSummary;
  readonly findings: readonly string[];
}

interface Stage {
  /** Emails at the core. */
  emails(): Promise<string[]>;
  /** Imports the export; `changes` stand before the core, whose key is the vendor's by default. */
  run(changes?: Partial<Core>, key?: Buffer, more?: Partial<ImportOptions>): Promise<Trial>;
  readonly open: (key?: Buffer) => EmbeddedCore;
}

function stage({ required = false, text = EXPORT, tests = TESTS } = {}): Stage {
  const file = newPath("users.csv");
  writeFileSync(file, text);
  const [data, checkpoint] = [newPath("core.db"), newPath("checkpoint")];
  const open = (key: Buffer = KEY): EmbeddedCore => {
    const core = openEmbeddedCore({ file: data, signerKey: key.toString("base64") });
    onTestFinished(() => core.close());
    return core;
  };
  return {
    open,
    emails: async () => (await allUsers(open())).map(({ email = "" }) => email).sort(),
    async run(changes = {}, key: Buffer = KEY, more = {}) {
      const hashConfig = hashConfigOf(KEY);
      const inputs = await openInputs([file]);
      const local = await proveTestUsers(tests, { inputs, hashConfig });
      const users = provedUsers(tests, local);
      expect(users).toHaveLength(tests.length);
      const events: MigrationEvent[] = [];
      const summary = await importUsers({
        inputs,
        hashConfig,
        core: { ...open(key), target: ELSEWHERE, ...changes },
        binding: { kind: "remote", url: "http://127.0.0.1:3567" },
        checkpoint,
        timing: virtualTiming(),
        beforeBulk: async () => ({
          fitted: users.map(({ proof }) => proof),
          signIns: judgedSignIns(users, { file: "tests.csv", required }),
        }),
        onEvent: (event) => void events.push(event),
        ...more,
      });
      const findings = events.flatMap((event) => (event.type === "finding" ? event.code : []));
      return { summary, findings };
    },
  };
}

const TESTED = ["ann@example.com", "ben@example.com"];

describe("an import whose test users sign in at the core first", () => {
  it("sends them before all others, once, and says that the core is proved", async () => {
    const { run, open, emails } = stage();
    const sent: string[] = [];
    const asked: string[] = [];
    const core = open();
    const { summary, findings } = await run({
      importUser: async (request) => {
        sent.push(request.email);
        return core.importUser(request);
      },
      signIn: async (request) => {
        asked.push(request.email);
        // Nobody's sign-in comes before all, to see whether there is one.
        if (asked.length > 1) expect(sent).toEqual(TESTED);
        return core.signIn(request);
      },
    });
    expect(outcomes(summary)).toEqual({ imported: EVERYBODY });
    expect(summary).toMatchObject({ read: EVERYBODY, proved: true });
    expect(summary.signIns).toEqual({ users: 2, signedIn: 2 });
    expect(summary.importedAlgorithms).toEqual({ vendor_scrypt: 5, bcrypt: 1 });
    // Nobody's sign-in, then of each the right password and a wrong one; and a lookup of everybody.
    expect(summary.calls).toMatchObject({ import: EVERYBODY, lookup: 5 + EVERYBODY });
    expect(asked.slice(1)).toEqual(TESTED.flatMap((email) => [email, email]));
    expect(findings).not.toContain("proof_user_existed");
    expect(await emails()).toHaveLength(EVERYBODY);
  });

  it("stops before the bulk at another signer key, and goes on once that is mended", async () => {
    const { run, emails } = stage();
    await expect(run({}, OTHER_KEY)).rejects.toMatchObject({
      code: "proof_failed",
      message: expect.stringMatching(
        /^This run has sent no user beside the 2 test users: user 1 of tests\.csv \(.*row 5 \(line 6\)\) couldn't be proved at the core, core_signer_key/,
      ),
      hint: expect.stringMatching(
        /vendor_password_hashing_signer_key .*run the same command again/,
      ),
    });
    expect(await emails()).toEqual(TESTED);
    const { summary } = await run();
    expect(summary).toMatchObject({ proved: true, signIns: { users: 2, signedIn: 2 } });
    expect(outcomes(summary)).toEqual({ imported: OTHERS.length, unchanged: 2 });
    expect(summary.importedAlgorithms).toEqual({ vendor_scrypt: OTHERS.length });
    const again = await run();
    expect(again.summary).toMatchObject({ proved: true, unchanged: EVERYBODY });
  });

  it("names the field by the core's own dialect", async () => {
    const { run } = stage();
    const target = { ...ELSEWHERE, dialect: "supertokens" } as const;
    await expect(run({ target }, OTHER_KEY)).rejects.toMatchObject({
      hint: expect.stringMatching(/core's firebase_password_hashing_signer_key .*FIREBASE_PASS/),
    });
  });

  it("stops at a core that takes any password", async () => {
    const { run, open } = stage();
    const core = open();
    const signIn: Core["signIn"] = async ({ email }) => ({
      status: "OK",
      user: (await core.findUsers({ email }))[0] ?? { userId: "nobody", recipe: null },
    });
    await expect(run({ signIn })).rejects.toMatchObject({
      message: expect.stringContaining("wrong_password_accepted"),
    });
  });

  it("doesn't call a password wrong where the core gave no answer", async () => {
    const { run, emails } = stage();
    const signIn: Core["signIn"] = async () => {
      throw failure("broken", { message: "HTTP 500" });
    };
    await expect(run({ signIn })).rejects.toMatchObject({ code: "outage" });
    const unreached: Core["signIn"] = () => Promise.reject(lost());
    await expect(run({ signIn: unreached })).rejects.toMatchObject({ code: "outage" });
    expect(await emails()).toEqual(TESTED);
    expect((await run()).summary).toMatchObject({ proved: true, unchanged: 2 });
  });

  it("stops before the bulk where a test user is refused", async () => {
    const { run, open, emails } = stage();
    const core = open();
    const importUser: Core["importUser"] = async (request) => {
      if (request.email === "ben@example.com") throw failure("refused", { message: "not today" });
      return core.importUser(request);
    };
    await expect(run({ importUser })).rejects.toMatchObject({
      code: "proof_failed",
      message: expect.stringContaining("import_failed"),
      hint: expect.stringContaining("not today"),
    });
    expect(await emails()).toEqual(["ann@example.com"]);
  });

  it("counts them for a pilot's limit and leaves none of them out", async () => {
    const { run, emails } = stage();
    const { summary } = await run({}, KEY, { limit: 1 });
    expect(summary).toMatchObject({ read: 2, imported: 2, limited: true, proved: true });
    expect(await emails()).toEqual(TESTED);
    const pilot = await run({}, KEY, { limit: 2 });
    expect(outcomes(pilot.summary)).toEqual({ unchanged: 2, imported: 2 });
  });

  it("ends with a summary where it is stopped among them", async () => {
    const { run, open, emails } = stage();
    const core = open();
    const stop = new AbortController();
    const signIn: Core["signIn"] = async (request) => {
      if (request.email === "ann@example.com") stop.abort();
      return core.signIn(request);
    };
    const { summary } = await run({ signIn }, KEY, { signal: stop.signal });
    expect(summary).toMatchObject({ interrupted: true, proved: false, signIns: null, imported: 2 });
    expect(await emails()).toEqual(TESTED);
  });

  it("says of a test user that another row before it gets the address, as any import does", async () => {
    const text = csvUsers([{ id: "m-1", email: "Ann@example.com" }, ...TEST_USERS]);
    const { run, emails } = stage({ text, tests: [{ user: "t-1", password: "Tr0mbone" }] });
    await expect(run()).rejects.toMatchObject({
      code: "proof_failed",
      hint: expect.stringMatching(/duplicate_contact: Another user, in .*users\.csv, row 1, has/),
    });
    expect(await emails()).toEqual([]);
  });
});

describe("a test user who was at the core before", () => {
  async function filled(required = false): Promise<Stage> {
    const there = stage({ required });
    const core = there.open();
    await core.importUser({ email: "ann@example.com", passwordHash: bcryptOf("Tr0mbone") });
    return there;
  }

  it("proves nothing, which is told, even where the sign-in goes well", async () => {
    const { run } = await filled();
    const first = await run({}, OTHER_KEY);
    expect(first.summary).toMatchObject({ proved: false, signIns: { users: 2, signedIn: 1 } });
    expect(outcomes(first.summary)).toEqual({ existed: 1, imported: EVERYBODY - 1 });
    expect(first.findings).toContain("proof_user_existed");
    // The checkpoint knows them now, and knows that they are none of ours.
    const again = await run();
    expect(again.summary).toMatchObject({ proved: false, unchanged: EVERYBODY });
  });

  it("stops an import that requires a proof", async () => {
    const { run, emails } = await filled(true);
    await expect(run()).rejects.toMatchObject({ code: "proof_user_existed" });
    expect(await emails()).toEqual(TESTED);
  });

  it("counts where the operator has the hash replaced", async () => {
    const { run } = await filled(true);
    const { summary } = await run({}, KEY, {
      policy: { ...DEFAULT_POLICY, onExisting: "update" },
    });
    expect(summary).toMatchObject({ proved: true, notices: { existing_password_replaced: 1 } });
    const other = await filled(true);
    const update = { policy: { ...DEFAULT_POLICY, onExisting: "update" } } as const;
    await expect(other.run({}, OTHER_KEY, update)).rejects.toMatchObject({ code: "proof_failed" });
  });
});

it("a later run is told of what test users have shown at the core, and of nothing else", async () => {
  const bare = [{ id: "m-1", email: "m.1@example.com", hash: bcryptOf("Kaz00") }];
  const tests = [{ user: "m-1", password: "Kaz00" }];
  const told = async ({ run }: Stage): Promise<unknown> => {
    let known: unknown = null;
    const beforeBulk: BeforeBulk = async (_inspection, _signal, earlier) => {
      known = earlier;
      return { fitted: [] };
    };
    await run({}, KEY, { beforeBulk });
    return known;
  };
  const notOffered = { signIn: () => Promise.reject(failure("not_offered")) };
  for (const [changes, isShown] of [
    [{}, true],
    [notOffered, false],
  ] as const) {
    const plain = stage({ text: csvUsers(bare), tests });
    expect(await told(plain)).toEqual({ signerKey: null, plain: false });
    await plain.run(changes);
    expect(await told(plain)).toEqual({ signerKey: null, plain: isShown });
    const keyed = stage();
    await keyed.run(changes);
    // Of argon2 and bcrypt all have to be shown; of vendor scrypt the one key.
    expect(await told(keyed)).toEqual({ signerKey: isShown ? "same" : null, plain: isShown });
  }
});

describe("a core without a sign-in", () => {
  const signIn: Core["signIn"] = async () => {
    throw failure("not_offered");
  };

  it("stays unproved, and that is told", async () => {
    const { run } = stage();
    const { summary, findings } = await run({ signIn });
    expect(summary).toMatchObject({ proved: false, signIns: null, imported: EVERYBODY });
    expect(findings).toContain("proof_unavailable");
  });

  it("stops an import that requires a proof before anybody is sent", async () => {
    const { run, emails } = stage({ required: true });
    await expect(run({ signIn })).rejects.toMatchObject({ code: "proof_unavailable" });
    expect(await emails()).toEqual([]);
  });
});

it("what was proved on this machine alone doesn't prove a remote core", async () => {
  const { run } = stage();
  const beforeBulk: BeforeBulk = async () => ({
    fitted: [{ algorithm: "vendor_scrypt", row: { file: "users.csv", number: 1 } }],
  });
  const { summary } = await run({}, KEY, { beforeBulk });
  expect(summary).toMatchObject({ proved: false, signIns: null, imported: EVERYBODY });
});
