import { describe, expect, it } from "vitest";
import { proveByAsking } from "../../src/cli/prove-by-asking.js";
import { declined } from "../../src/cli/prompts.js";
import { withWayBack } from "../../src/cli/setup/asker.js";
import type { RunError } from "../../src/errors/run-error.js";
import type { ProofCode } from "../../src/prove/proof.js";
import { type ScriptedAsker, scriptedAsker } from "./setup/support/scripted-asker.js";

/** By every code of a proof that failed: what can settle it, or null where it comes from a core, and whether it is certain for all users. */
const CODES: Readonly<Record<ProofCode, readonly [settledBy: string, isSure?: true] | null>> = {
  user_not_found: ["user"],
  no_password: ["user"],
  hash_refused: ["user"],
  not_imported: ["user"],
  wrong_password: ["password"],
  prehashed: ["stop", true],
  password_too_long: ["user"],
  signer_key_missing: ["key"],
  wrong_signer_key: ["key", true],
  wrong_hash_parameters: ["key", true],
  password_or_signer_key: ["user"],
  unexplained: ["user"],
  too_costly: ["user"],
  import_failed: null,
  sign_in_failed: null,
  core_password_encoding: null,
  core_signer_key: null,
  sign_in_refused: null,
  user_existed: null,
  wrong_password_accepted: null,
};

const LOCAL = Object.entries(CODES).flatMap(([code, of]) => (of === null ? [] : [[code, of]]));

const ANN = "ann@example.com";

/** An import's dialogue in which every proof fails by a code. */
function failing(asker: ScriptedAsker, code: string, canCorrect: boolean) {
  const proof = { user: 1, ok: false, code, hint: `Mend ${code}.`, row: null, algorithm: null };
  const proofs = [{ ...proof, sourceId: null, steps: [], signedIn: null }];
  const correct = { label: "Correct the signer key", ask: async () => {} };
  const stopped = () =>
    declined("Prove with --prove FILE, or give --yes to go on without a proof.");
  const found = { record: {}, row: { file: "users.json", number: 1 } };
  return withWayBack(asker, (talk) =>
    proveByAsking(talk, {
      find: async () => found as never,
      prove: async () => ({ proofs, found: [] }) as never,
      needsKey: true,
      stopped,
      correct: canCorrect ? correct : undefined,
    }),
  );
}

const refusalOf = (ended: Promise<unknown>): Promise<RunError> =>
  ended.then(
    () => Promise.reject(new Error("it went on")),
    (error: RunError) => error,
  );

describe("after a proof that failed", () => {
  it.each(LOCAL as [ProofCode, readonly [string, true?]][])(
    "by %s what can settle it is chosen before, and who stops is told the remedy",
    async (code, [settledBy, isSure = false]) => {
      for (const canCorrect of [false, true]) {
        // The key comes from elsewhere where it can't be corrected here.
        const isHere = canCorrect || settledBy !== "key";
        const isLeft = code === "signer_key_missing" && canCorrect;
        const asker = scriptedAsker(ANN, "Tr0mbone", "stop");
        const ended = await refusalOf(
          isLeft ? failing(asker, "wrong_signer_key", true) : failing(asker, code, canCorrect),
        );
        const [offered = []] = asker.offered;
        expect(offered[0]).toBe(isHere ? settledBy : "stop");
        expect(offered.includes("skip")).toBe(!isSure && !isLeft);
        expect(ended.code).toBe("confirmation_declined");
        expect(ended.message).toBe("Cancelled; nothing was sent.");
        expect(ended.hint).toBe(`Mend ${isLeft ? "wrong_signer_key" : code}.`);
      }
    },
  );

  it("by a certain code none goes on who names no further user, or ends the questions", async () => {
    const asker = scriptedAsker(ANN, "Tr0mbone", "user", "");
    const ended = await refusalOf(failing(asker, "wrong_signer_key", false));
    expect(asker.asked.at(-1)).toBe("And now?");
    expect(asker.asked).not.toContain("Go on without knowing that it works?");
    expect(ended).toMatchObject({ code: "confirmation_declined", hint: "Mend wrong_signer_key." });
  });

  it("that isn't certain the operator may go on without", async () => {
    const asker = scriptedAsker(ANN, "Tr0mbone", "skip", "yes");
    expect(await failing(asker, "wrong_password", false)).toBe(null);
  });
});
