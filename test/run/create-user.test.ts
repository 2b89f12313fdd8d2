import { describe, expect, it } from "vitest";
import type { CallOutcome } from "../../src/plan/action.js";
import { endOfRun } from "../../src/run/carry-out.js";
import { addSecondContact, createUser } from "../../src/run/create-user.js";
import { importUser } from "../../src/run/import-user.js";
import { MAPPED } from "../../src/plan/states.js";
import { scriptedContext } from "./support/call-context.js";
import { at } from "./support/user-keys.js";
import { BCRYPT, importPlan, passwordlessPlan } from "./support/records.js";
import {
  CODE,
  consumed,
  failure,
  lost,
  notReached,
  passwordlessUser,
  passwordUser,
} from "./support/scripted-core.js";

const ADA = "ada@example.com";
const PHONE = "+15550100001";
const NEW = { row: at(3), entryId: 7, maybeOurs: false, theirs: false, lookedAt: null };
const MAYBE_OURS = { ...NEW, maybeOurs: true };
const RESTART = { status: "RESTART_FLOW_ERROR" };
const OK = { status: "OK" };

const byEmail = passwordlessPlan({ email: ADA });
const byBoth = passwordlessPlan({ email: ADA, phone: PHONE });
const ada = passwordlessUser("core-1", { email: ADA });

/** A stranger, and whoever was replaced, never gets another id. */
function done(outcome: string, notices: readonly string[] = []): Partial<CallOutcome> {
  const isTheirs = outcome === "existed" || notices.includes("existing_password_replaced");
  const mapped = isTheirs ? MAPPED.never : MAPPED.no;
  return { kind: "done", outcome, coreId: "core-1", notices, mapped } as Partial<CallOutcome>;
}

/** The core's answer said that the user is new. */
function made(outcome: string, notices?: readonly string[]): Partial<CallOutcome> {
  return { ...done(outcome, notices), isMade: true } as Partial<CallOutcome>;
}

function imported(didUserAlreadyExist: boolean): object {
  return { status: "OK", user: passwordUser("core-1", ADA), didUserAlreadyExist };
}

describe("importing a password user", () => {
  it("sends email and hash, and names the algorithm only for vendor scrypt", async () => {
    const context = scriptedContext({ importUser: [imported(false)] });
    expect(await importUser(context, importPlan(ADA), NEW)).toEqual(made("imported"));
    const scrypt = { ...importPlan(ADA, "$f_scrypt$…"), algorithm: "vendor_scrypt" } as const;
    await importUser(context, scrypt, NEW);
    expect(context.core.calls.map(({ request }) => request)).toEqual([
      { email: ADA, passwordHash: BCRYPT },
      { email: ADA, passwordHash: "$f_scrypt$…", hashingAlgorithm: "vendor_scrypt" },
    ]);
  });

  it("says so where somebody signed up in between and had their password replaced", async () => {
    const context = scriptedContext({ importUser: [imported(true)] });
    const applied = await importUser(context, importPlan(ADA), NEW);
    expect(applied).toEqual(done("imported", ["existing_password_replaced"]));
  });

  it("takes whoever is there for ours after an attempt of unknown outcome", async () => {
    const context = scriptedContext({ importUser: [lost(), imported(true)] });
    expect(await importUser(context, importPlan(ADA), NEW)).toEqual(done("imported"));
  });

  it("takes whoever is there for ours after an earlier run's intent", async () => {
    const context = scriptedContext({ importUser: [imported(true)] }, { assumeEmpty: true });
    expect(await importUser(context, importPlan(ADA), MAYBE_OURS)).toEqual(done("imported"));
  });

  it("ends the run under assume-empty when somebody was there, naming the row", async () => {
    const context = scriptedContext({ importUser: [imported(true)] }, { assumeEmpty: true });
    const applied = await importUser(context, importPlan(ADA), NEW);
    expect(applied).toMatchObject({ kind: "done", endsRun: true });
    expect(String(endOfRun(at(3)))).toContain("users.csv, row 3");
  });

  it("fails for now at a broken core, and remembers that it may have worked", async () => {
    const context = scriptedContext({ importUser: [failure("broken")] });
    expect(await importUser(context, importPlan(ADA), NEW)).toMatchObject({
      kind: "failed",
      code: "core_broken",
      maybeApplied: true,
    });
  });

  it("doesn't forget an earlier run's intent when its own attempts had no effect", async () => {
    const context = scriptedContext({ importUser: [notReached()] });
    const [fresh, resumed] = [NEW, MAYBE_OURS].map((before) =>
      importUser(context, importPlan(ADA), before),
    );
    expect(await fresh).toMatchObject({ kind: "failed", maybeApplied: false });
    expect(await resumed).toMatchObject({ kind: "failed", maybeApplied: true });
  });
});

describe("creating a passwordless user", () => {
  it("asks for a code and uses its link", async () => {
    const context = scriptedContext({ createCode: [CODE], consumeCode: [consumed(ada)] });
    expect(await createUser(context, byEmail, NEW)).toEqual(made("created"));
    expect(context.core.calls).toEqual([
      { method: "createCode", request: { email: ADA } },
      { method: "consumeCode", request: { preAuthSessionId: "session", linkCode: "link" } },
    ]);
  });

  it.each([
    ["email first", byBoth, { email: ADA }, { phoneNumber: PHONE }],
    ["phone first", { ...byBoth, first: "phone" as const }, { phoneNumber: PHONE }, { email: ADA }],
  ])("adds the second contact: %s", async (_order, plan, first, second) => {
    const user = passwordlessUser("core-1", first);
    const context = scriptedContext({
      createCode: [CODE],
      consumeCode: [consumed(user)],
      updateUser: [OK],
    });
    expect(await createUser(context, plan, NEW)).toEqual(made("created"));
    expect(context.core.calls[0]?.request).toEqual(first);
    expect(context.core.calls[2]).toEqual({
      method: "updateUser",
      request: { userId: "core-1", ...second },
    });
  });

  it.each(["EMAIL_ALREADY_EXISTS_ERROR", "PHONE_NUMBER_ALREADY_EXISTS_ERROR"])(
    "keeps the user and says so where the second contact is somebody else's: %s",
    async (status) => {
      const context = scriptedContext({
        createCode: [CODE],
        consumeCode: [consumed(ada)],
        updateUser: [{ status }],
      });
      const applied = await createUser(context, byBoth, NEW);
      expect(applied).toEqual(made("created", ["contact_conflict"]));
    },
  );

  it("remembers the user who exists although the second contact wasn't reached or was refused", async () => {
    const parts = { createCode: [CODE], consumeCode: [consumed(ada)] };
    for (const [kind, as] of [
      ["broken", "failed"],
      ["refused", "rejected"],
    ] as const) {
      const context = scriptedContext({ ...parts, updateUser: [failure(kind)] });
      const applied = await createUser(context, byBoth, NEW);
      expect(applied).toMatchObject({ kind: as, code: `core_${kind}`, maybeApplied: true });
    }
  });

  it("fails for now where the core has lost the user again", async () => {
    const context = scriptedContext({ updateUser: [{ status: "UNKNOWN_USER_ID_ERROR" }] });
    const applied = await addSecondContact(context, byBoth, ada, "ours");
    expect(applied).toMatchObject({ kind: "failed", code: "user_vanished", maybeApplied: true });
  });

  it("doesn't add what the user has already", async () => {
    const context = scriptedContext({});
    const whole = passwordlessUser("core-1", { email: ADA, phoneNumber: PHONE });
    expect(await addSecondContact(context, byBoth, whole, "ours")).toEqual(done("created"));
    expect(context.core.calls).toEqual([]);
  });
});

describe("somebody who signed up between lookup and call", () => {
  const script = {
    createCode: [CODE],
    consumeCode: [consumed(ada, false)],
    updateUser: [OK],
  };

  it("is left as they are", async () => {
    const context = scriptedContext(script);
    expect(await createUser(context, byBoth, NEW)).toEqual(done("existed"));
    expect(context.core.count("updateUser")).toBe(0);
  });

  it("gets the second contact only where the operator asked for updates", async () => {
    const context = scriptedContext(script, { onExisting: "update" });
    expect(await createUser(context, byBoth, NEW)).toEqual(done("existed"));
    expect(context.core.count("updateUser")).toBe(1);
  });

  it.each(["skip", "update"] as const)(
    "ends the run under assume-empty and is left as they are, on-existing %s or not",
    async (onExisting) => {
      const context = scriptedContext(script, { assumeEmpty: true, onExisting });
      const applied = await createUser(context, byBoth, NEW);
      expect(applied).toMatchObject({ ...done("existed"), endsRun: true });
      expect(context.core.count("updateUser")).toBe(0);
    },
  );

  it("is ours where an earlier run may have created them", async () => {
    const context = scriptedContext(script, { assumeEmpty: true });
    expect(await createUser(context, byBoth, MAYBE_OURS)).toEqual(done("created"));
    expect(context.core.count("updateUser")).toBe(1);
  });
});

describe("starting again at a new code", () => {
  it("happens when the core asks for it, three times at most", async () => {
    const twice = scriptedContext({
      createCode: [CODE],
      consumeCode: [RESTART, RESTART, RESTART, consumed(ada)],
    });
    expect(await createUser(twice, byEmail, NEW)).toEqual(made("created"));
    const never = scriptedContext({ createCode: [CODE], consumeCode: [RESTART] });
    expect(await createUser(never, byEmail, NEW)).toMatchObject({
      kind: "failed",
      code: "code_not_accepted",
      maybeApplied: false,
    });
    expect([never.core.count("createCode"), never.core.count("consumeCode")]).toEqual([4, 4]);
  });

  it("never uses one code twice", async () => {
    const codes = ["one", "two", "three", "four"].map((linkCode) => ({ ...CODE, linkCode }));
    const context = scriptedContext({
      createCode: codes,
      consumeCode: [lost(), failure("broken"), failure("busy"), consumed(ada, false)],
    });
    expect(await createUser(context, byEmail, NEW)).toEqual(done("created"));
    const used = context.core.calls.filter(({ method }) => method === "consumeCode");
    expect(used.map(({ request }) => request)).toEqual(
      codes.map(({ preAuthSessionId, linkCode }) => ({ preAuthSessionId, linkCode })),
    );
  });

  it("fails for now when the outcome stays unknown, and remembers that it may have worked", async () => {
    const context = scriptedContext({ createCode: [CODE], consumeCode: [lost()] });
    expect(await createUser(context, byEmail, NEW)).toMatchObject({
      kind: "failed",
      code: "core_unreachable",
      maybeApplied: true,
    });
    expect(context.core.count("consumeCode")).toBe(4);
  });

  it("doesn't happen where it would have to wait and the run is being stopped", async () => {
    const stop = new AbortController();
    const script = {
      createCode: [CODE],
      consumeCode: [
        () => {
          stop.abort();
          return failure("busy", { retryAfterMs: 1000 });
        },
      ],
    };
    const context = scriptedContext(script, {}, stop.signal);
    const error = await createUser(context, byEmail, NEW).catch((reason: unknown) => reason);
    expect(error).toBe(stop.signal.reason);
    expect(context.core.count("createCode")).toBe(1);
  });
});
