import { writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { readStatus } from "../../src/checkpoint/status.js";
import type { Core } from "../../src/core/core.js";
import {
  type EmbeddedCore,
  type EmbeddedCoreOptions,
  openEmbeddedCore,
} from "../../src/core/embedded/embedded-core.js";
import { createSignerKeys } from "../../src/hash/signer-keys.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import type { GivenImport } from "../../src/run/defaults.js";
import { findUsers } from "../../src/prove/find-users.js";
import type { Proof } from "../../src/prove/proof.js";
import { type CoreProof, proveAtCore } from "../../src/prove/sign-ins.js";
import { proveUsers } from "../../src/prove/prove-users.js";
import { standingLines } from "../../src/report/headline.js";
import { makeReport } from "../../src/report/report.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { allUsers, outcomes } from "../run/support/run.js";
import { failure } from "../run/support/scripted-core.js";
import {
  bcryptOf,
  csvUsers,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { virtualTiming } from "../run/support/virtual-timing.js";

const newPath = temporaryPaths();
const SCRYPT = hashConfigOf(KEY);

const USERS = [
  { id: "m-1", email: "ann@example.com", hash: bcryptOf("Tr0mbone") },
  { id: "m-2", email: "ben@example.com", ...scryptOf("Kaz00 & Tuba") },
  { id: "m-3", email: "cleo@example.com", ...scryptOf("pässwörd") },
  { id: "m-4", email: "dora@example.com", hash: bcryptOf("Piccolo") },
  { id: "m-5", email: "emil@example.com" },
];
const RANDOM = expect.stringMatching(/^[\w-]{32}$/);
const PASSWORDS = { "m-1": "Tr0mbone", "m-2": "Kaz00 & Tuba", "m-3": "pässwörd" };

interface Stage {
  readonly core: EmbeddedCore;
  readonly options: GivenImport & { readonly policy: Policy };
  prove(
    given?: Readonly<Record<string, string>>,
    core?: Partial<Core>,
    signal?: AbortSignal,
  ): Promise<CoreProof>;
}

/** An export, a core and a checkpoint. */
async function stage(settings: Partial<EmbeddedCoreOptions> = {}): Promise<Stage> {
  const file = newPath("users.csv");
  writeFileSync(file, csvUsers(USERS));
  const signerKey = SCRYPT.signerKey;
  const core = openEmbeddedCore({ file: newPath("core.db"), signerKey, ...settings });
  onTestFinished(() => core.close());
  const options = {
    inputs: await openInputs([file]),
    core,
    checkpoint: newPath("checkpoint"),
    concurrency: 8,
    hashConfig: SCRYPT,
    policy: DEFAULT_POLICY,
    timing: virtualTiming(),
  } satisfies GivenImport;
  return {
    core,
    options,
    async prove(given = PASSWORDS, changes = {}, signal = new AbortController().signal) {
      const found = await findUsers(options.inputs, Object.keys(given), options);
      const subjects = Object.values(given).map((password, index) => {
        return { found: found[index] ?? null, password };
      });
      const proofs = await proveUsers(subjects, {
        ...{ policy: options.policy, hashConfig: SCRYPT },
        signerKeys: createSignerKeys(signerKey),
      });
      const proved = proofs.flatMap((proof, index) => {
        const { found: row, password } = subjects[index]!;
        return proof.ok && row !== null ? [{ proof, found: row, password }] : [];
      });
      expect(proved).toHaveLength(subjects.length);
      return proveAtCore(proved, { ...options, signal, core: { ...core, ...changes } });
    },
  };
}

/** Of the report, and of the latest run. */
function findingsOf(checkpoint: string) {
  const source = openReport(checkpoint);
  const { findings } = makeReport(source);
  source.close();
  return { report: findings, latest: source.runs.at(-1)?.findings.map(({ code }) => code) };
}

function told(proofs: readonly Proof[]): string[] {
  return proofs.map((proof) => `${proof.ok ? "proved" : proof.code} ${proof.signedIn}`);
}

describe("users who were proved here", () => {
  it("are imported, they alone, and sign in", async () => {
    const { core, prove } = await stage();
    const { proofs, summary } = await prove();
    expect(told(proofs)).toEqual(Array(3).fill("proved true"));
    expect(summary).toMatchObject({
      read: 3,
      imported: 3,
      algorithms: { bcrypt: 1, vendor_scrypt: 2 },
    });
    const emails = (await allUsers(core)).map(({ email }) => email);
    expect(emails.toSorted()).toEqual(["ann@example.com", "ben@example.com", "cleo@example.com"]);
  });

  it("are unchanged for the import that follows", async () => {
    const { options, prove } = await stage();
    await prove();
    expect(outcomes(await importUsers(options))).toEqual({ imported: 1, created: 1, unchanged: 3 });
  });

  it("are no whole export: nobody else is gone, and until an import it is next", async () => {
    const { options, prove } = await stage();
    await prove();
    const proved = readStatus(options.checkpoint);
    expect(proved).toMatchObject({ users: 3, unread: null, cut: "proof" });
    expect(standingLines(proved)).toEqual([
      "proof: 3 of the 3 users read so far are at the core.",
      "Proved: 3 known passwords verify against what the core gets.",
      "No run is going on, and a proof alone has sent its test users. Next, import the others.",
    ]);
    await importUsers(options);
    const { report: before } = findingsOf(options.checkpoint);
    await prove({ "m-1": "Tr0mbone" });
    const { report, latest } = findingsOf(options.checkpoint);
    expect(report).toEqual(before);
    expect(latest).not.toContain("gone_since_last_export");
    expect(readStatus(options.checkpoint)).toMatchObject({ users: 5, unread: 0, cut: null });
  });

  it("may be proved again", async () => {
    const { prove } = await stage();
    await prove();
    const { proofs, summary } = await prove();
    expect(told(proofs)).toEqual(Array(3).fill("proved true"));
    expect(outcomes(summary)).toEqual({ unchanged: 3 });
  });
});

describe("a core is found out", () => {
  it("that reads passwords as ASCII: only those beyond it fail", async () => {
    const { prove } = await stage({ scryptPasswordEncoding: "ascii" });
    const { proofs } = await prove();
    const codes = ["proved true", "proved true", "core_password_encoding false"];
    expect(told(proofs)).toEqual(codes);
  });

  it("that has another signer key: every vendor scrypt user fails", async () => {
    const { prove } = await stage({ signerKey: OTHER_KEY.toString("base64") });
    const { proofs } = await prove();
    expect(told(proofs)).toEqual(["proved true", "core_signer_key false", "core_signer_key false"]);
  });

  it("that has the users already, with other passwords", async () => {
    const { core, prove } = await stage();
    await core.importUser({ email: "ann@example.com", passwordHash: bcryptOf("another") });
    const { proofs, summary } = await prove({ "m-1": "Tr0mbone" });
    expect(outcomes(summary)).toEqual({ existed: 1 });
    expect(told(proofs)).toEqual(["user_existed false"]);
    expect(proofs[0]).toMatchObject({ hint: expect.stringContaining("before this migration") });
  });

  it("that refuses a right password", async () => {
    const { prove } = await stage();
    const signIn: Core["signIn"] = async () => ({ status: "WRONG_CREDENTIALS_ERROR" });
    const { proofs } = await prove({ "m-1": "Tr0mbone" }, { signIn });
    expect(told(proofs)).toEqual(["sign_in_refused false"]);
  });

  it("that takes any password", async () => {
    const { core, prove } = await stage();
    const asked: string[] = [];
    const signIn: Core["signIn"] = async ({ email, password }) => {
      asked.push(password);
      // Nobody's address is asked for first, to see whether there is a sign-in at all.
      if (asked.length === 1) return { status: "WRONG_CREDENTIALS_ERROR" };
      return { status: "OK", user: (await core.findUsers({ email }))[0]! };
    };
    const { proofs } = await prove({ "m-1": "Tr0mbone" }, { signIn });
    expect(told(proofs)).toEqual(["wrong_password_accepted true"]);
    expect(asked).toEqual([RANDOM, "Tr0mbone", RANDOM]);
  });

  it("that refuses the import of a user", async () => {
    const { prove } = await stage();
    const importUser: Core["importUser"] = async () => {
      throw failure("refused", { message: "passwordHash: not today" });
    };
    const { proofs } = await prove({ "m-1": "Tr0mbone" }, { importUser });
    expect(told(proofs)).toEqual(["import_failed null"]);
    expect(proofs[0]).toMatchObject({ hint: expect.stringContaining("not today") });
  });

  it("that fails at sign-ins, after some tries", async () => {
    const { prove } = await stage();
    let calls = 0;
    const signIn: Core["signIn"] = async ({ email }) => {
      if (email !== "ann@example.com") return { status: "WRONG_CREDENTIALS_ERROR" };
      calls += 1;
      throw failure("broken", { message: "HTTP 500" });
    };
    const { proofs } = await prove({ "m-1": "Tr0mbone" }, { signIn });
    expect(told(proofs)).toEqual(["sign_in_failed null"]);
    expect(calls).toBe(3);
  });

  it("that offers no sign-in: the proof here stands, and nothing is claimed of the core", async () => {
    const { prove } = await stage();
    const signIn: Core["signIn"] = async () => {
      throw failure("not_offered");
    };
    const { proofs } = await prove({ "m-1": "Tr0mbone" }, { signIn });
    expect(told(proofs)).toEqual(["proved null"]);
  });
});

it("stops when it is told to, with what was done in the checkpoint", async () => {
  const { core, prove } = await stage();
  const stop = new AbortController();
  const importUser: Core["importUser"] = async (request) => {
    stop.abort();
    return core.importUser(request);
  };
  await expect(prove(PASSWORDS, { importUser }, stop.signal)).rejects.toMatchObject({
    name: "AbortError",
  });
  const { proofs, summary } = await prove();
  expect(outcomes(summary)).toMatchObject({ unchanged: 1 });
  expect(told(proofs)).toEqual(Array(3).fill("proved true"));
});
