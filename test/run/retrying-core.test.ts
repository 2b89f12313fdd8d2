import { describe, expect, it } from "vitest";
import { retryingCore } from "../../src/run/retrying-core.js";
import type { RepeatQuestion } from "../../src/core/core.js";
import { failure, lost, notReached, passwordUser, scriptedCore } from "./support/scripted-core.js";
import { virtualTiming } from "./support/virtual-timing.js";

const ADA = passwordUser("u-1", "ada@example.com");
const QUESTION = { email: "ada@example.com" };

describe("a question before a run", () => {
  it.each([
    ["an answer that is lost", lost, 500],
    ["a busy core", () => failure("busy"), 500],
    ["a core that says how long to wait", () => failure("busy", { retryAfterMs: 3000 }), 3000],
  ])("is asked once more after %s", async (_what, broken, wait) => {
    const timing = virtualTiming();
    const core = scriptedCore({ findUsers: [broken(), [ADA]] });
    const users = await retryingCore(core, timing, undefined).findUsers(QUESTION);
    expect(users).toEqual([ADA]);
    expect(timing.waits).toEqual([wait]);
  });

  it("of several is asked once more by itself, so that the answers of the others aren't lost", async () => {
    const answers = ["metadata", lost(), "roles", lost(), "tenants"];
    const heard: unknown[] = [];
    const ask = async (): Promise<void> => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      heard.push(answer);
    };
    const core = scriptedCore({});
    const capabilities = async (repeat: RepeatQuestion = (question) => question()) => {
      for (let question = 0; question < 3; question += 1) await repeat(ask);
      return core.capabilities();
    };
    await retryingCore({ ...core, capabilities }, virtualTiming(), undefined).capabilities();
    expect(heard).toEqual(["metadata", "roles", "tenants"]);
  });

  it("is asked three times at most", async () => {
    const core = scriptedCore({ getUser: [lost()] });
    const asked = retryingCore(core, virtualTiming(), undefined).getUser("u-1");
    await expect(asked).rejects.toMatchObject({ kind: "unreachable" });
    expect(core.count("getUser")).toBe(3);
  });

  it.each([
    ["a refused connection", notReached],
    ["a refused key", () => failure("key_refused")],
    ["what is no core", () => failure("incompatible")],
    ["a wait of minutes", () => failure("busy", { retryAfterMs: 120_000 })],
  ])("is asked once only where it meets %s", async (_what, broken) => {
    const core = scriptedCore({ findUsers: [broken(), [ADA]] });
    const asked = retryingCore(core, virtualTiming(), undefined).findUsers(QUESTION);
    await expect(asked).rejects.toMatchObject({ name: "CoreFailure" });
    expect(core.count("findUsers")).toBe(1);
  });

  it("is not asked again once the operator has said stop", async () => {
    const stop = new AbortController();
    const core = scriptedCore({
      findUsers: [
        () => {
          stop.abort();
          return lost();
        },
        [ADA],
      ],
    });
    const patient = retryingCore(core, virtualTiming(), stop.signal);
    await expect(patient.findUsers(QUESTION)).rejects.toMatchObject({ kind: "unreachable" });
    await expect(patient.findUsers(QUESTION)).rejects.toBe(stop.signal.reason);
    expect(core.count("findUsers")).toBe(1);
  });

  it("is not asked again where the operator says stop while it waits", async () => {
    const stop = new AbortController();
    const core = scriptedCore({ findUsers: [lost(), [ADA]] });
    const timing = { ...virtualTiming(), sleep: async () => stop.abort() };
    const asked = retryingCore(core, timing, stop.signal).findUsers(QUESTION);
    await expect(asked).rejects.toMatchObject({ kind: "unreachable" });
    expect(core.count("findUsers")).toBe(1);
  });

  it("leaves what changes something alone", async () => {
    const core = scriptedCore({ importUser: [lost()] });
    const sent = retryingCore(core, virtualTiming(), undefined).importUser({
      email: "ada@example.com",
      passwordHash: "a hash",
    });
    await expect(sent).rejects.toMatchObject({ kind: "unreachable" });
    expect(core.count("importUser")).toBe(1);
  });
});
