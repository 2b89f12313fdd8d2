import { afterAll, describe, expect, it } from "vitest";
import { CoreFailure } from "../../../../src/core/core-failure.js";
import { openEmbeddedCore } from "../../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../../src/core/http/server.js";
import { temporaryPaths } from "../../../support/temporary-folder.js";
import { inFull } from "../../../support/repeated.js";

const path = temporaryPaths();
/** Everybody's: half a second of work, far more than everything else here. */
const passwordHash = "$2a$13$c6FfHH9VTE7BBoh6u4lju.awuw/ta6oNO1jVAjPOREqzcoNvcgyPS";
const password = "correct horse battery";
const KNOWN_EMAIL = "ana@example.com";
const [THREADS, QUEUE, SIGN_INS] = [1, 1, 30];
/** Imports one after the other, and how many at once each time. */
const [ROUNDS, A_ROUND] = [4, 16];
const ADMITTED = THREADS + QUEUE;

const core = openEmbeddedCore({
  file: path("core.db"),
  verificationThreads: THREADS,
  verificationQueue: QUEUE,
});
const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [] });
await core.importUser({ email: KNOWN_EMAIL, passwordHash });
afterAll(async () => {
  await server.close();
  await core.close();
});

function post(target: string, body: unknown): Promise<Response> {
  return fetch(server.url + target, { method: "POST", body: JSON.stringify(body) });
}

/** How the sign-ins ended, and how many imports had ended when the first password was verified. */
interface Flood {
  readonly answers: readonly string[];
  readonly importsBefore: number | null;
}

/** More sign-ins than anybody can serve, known emails and unknown ones, while imports go on. */
async function flood(
  signIn: (email: string) => Promise<string>,
  importOne: (email: string) => Promise<void>,
): Promise<Flood> {
  let imported = 0;
  let importsBefore: number | null = null;
  const signIns = Array.from({ length: SIGN_INS }, async (_, index) => {
    const answer = await signIn(index % 2 === 0 ? KNOWN_EMAIL : `nobody.${index}@example.com`);
    if (answer !== "busy") importsBefore ??= imported;
    return answer;
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const emails = Array.from({ length: A_ROUND }, (_, index) => `u${round}.${index}@example.com`);
    await Promise.all(emails.map(importOne));
    imported += A_ROUND;
  }
  return { answers: await Promise.all(signIns), importsBefore };
}

function expectServed({ answers, importsBefore }: Flood): void {
  // One round that waited for no password; how many more the disk takes meanwhile says nothing.
  expect(importsBefore).toBeGreaterThanOrEqual(A_ROUND);
  expect(answers.filter((answer) => answer === "busy")).toHaveLength(SIGN_INS - ADMITTED);
  expect(answers.filter((answer) => answer === "WRONG_CREDENTIALS_ERROR")).toHaveLength(ADMITTED);
}

describe("a flood of sign-ins with costly hashes", () => {
  it("holds up no import, and is told to come back", async () => {
    const signIn = (email: string): Promise<string> =>
      core.signIn({ email, password: "battery staple" }).then(
        ({ status }) => status,
        (error: unknown) => {
          expect(error).toBeInstanceOf(CoreFailure);
          expect(error).toMatchObject({ kind: "busy", retryAfterMs: expect.any(Number) });
          return "busy";
        },
      );
    const outcome = await flood(signIn, async (email) => {
      expect((await core.importUser({ email, passwordHash })).status).toBe("OK");
      expect(await core.findUsers({ email })).toHaveLength(1);
    });
    expectServed(outcome);
    const after = await core.signIn({ email: "u3.15@example.com", password });
    expect(after.status).toBe("OK");
  });

  it.runIf(inFull)("is answered 503 with Retry-After over HTTP, while imports go on", async () => {
    const signIn = async (email: string): Promise<string> => {
      const response = await post("/recipe/signin", { email, password: "battery staple" });
      const answer = (await response.json()) as { status: string };
      if (response.status !== 503) return answer.status;
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(answer).toEqual({ message: "the core is busy" });
      return "busy";
    };
    const outcome = await flood(signIn, async (email) => {
      const response = await post("/recipe/user/passwordhash/import", { email, passwordHash });
      expect(response.status).toBe(200);
    });
    expectServed(outcome);
    const after = await post("/recipe/signin", { email: "u3.15@example.com", password });
    expect(await after.json()).toMatchObject({ status: "OK" });
  });
});
