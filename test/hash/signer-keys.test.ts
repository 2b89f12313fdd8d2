import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import { createSignerKeys } from "../../src/hash/signer-keys.js";
import { answerHashLines } from "../../src/source/hash-lines.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };

const OTHER_KEY = Buffer.alloc(64, 7).toString("base64");
const { hash, salt } = exported.accepted[0]!;

function kratos(key: string, itsSalt = salt): string {
  return `$firescrypt$ln=14,r=8,p=1$${itsSalt}$${hash}$Bw==$${key}`;
}

describe("the signer key of a run", () => {
  it("is the one that is known, whatever hashes carry", () => {
    const keys = createSignerKeys(SIGNER_KEY);
    expect([OTHER_KEY, SIGNER_KEY].map(keys.take)).toEqual([false, true]);
    expect(keys.key).toBe(SIGNER_KEY);
  });

  it("is the first one that a hash carries where none is known, in either alphabet", () => {
    const keys = createSignerKeys(null);
    expect(keys.key).toBeNull();
    const urlSafe = Buffer.from(SIGNER_KEY, "base64").toString("base64url");
    expect([SIGNER_KEY, OTHER_KEY, urlSafe].map(keys.take)).toEqual([true, false, true]);
    expect(keys.key).toBe(SIGNER_KEY);
  });

  it("isn't that of a hash that is refused for itself", () => {
    const signerKeys = createSignerKeys(null);
    const verdictOf = (text: string) => normalizeHash({ kind: "text", text }, { signerKeys });
    expect(verdictOf(kratos(OTHER_KEY, ""))).toMatchObject({ code: "fscrypt_salt" });
    expect(verdictOf(kratos(SIGNER_KEY))).toMatchObject({ verdict: "accepted" });
    expect(verdictOf(kratos(OTHER_KEY))).toMatchObject({ code: "signer_key_mismatch" });
  });

  it("is the same for all lines that are answered together", async () => {
    const lines = [kratos(OTHER_KEY), kratos(SIGNER_KEY), kratos(OTHER_KEY)].join("\n");
    const verdicts: string[] = [];
    for await (const answers of answerHashLines(onePiece(lines))) {
      verdicts.push(...answers.map(({ verdict }) => verdict.verdict));
    }
    expect(verdicts).toEqual(["accepted", "refused", "accepted"]);
  });
});

async function* onePiece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
