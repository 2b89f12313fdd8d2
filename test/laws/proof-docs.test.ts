import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PRE_HASH_FORMS, type PreHashForm } from "../../src/hash/prehash.js";
import type { ProofCode } from "../../src/prove/proof.js";
import { ROOT } from "./source-files.js";

const PAGE = readFileSync(join(ROOT, "docs/proof.md"), "utf8");

// The compiler keeps this list complete.
const CODES = {
  user_not_found: true,
  no_password: true,
  hash_refused: true,
  not_imported: true,
  wrong_password: true,
  prehashed: true,
  password_too_long: true,
  signer_key_missing: true,
  wrong_signer_key: true,
  wrong_hash_parameters: true,
  password_or_signer_key: true,
  too_costly: true,
  unexplained: true,
  import_failed: true,
  core_password_encoding: true,
  core_signer_key: true,
  sign_in_refused: true,
  user_existed: true,
  sign_in_failed: true,
  wrong_password_accepted: true,
} satisfies Record<ProofCode, true>;

it("docs/proof.md says what each failure means", () => {
  const missing = Object.keys(CODES).filter((code) => !PAGE.includes(`\n- \`${code}\`: `));
  expect(missing).toEqual([]);
});

it("docs/proof.md names every pre-hash that is tried, in the code's words", () => {
  const lines = PRE_HASH_FORMS.map(lineOf);
  expect(PAGE).toContain(`\n\n${lines.join("\n")}\n\n`);
});

function lineOf({ name, what }: PreHashForm): string {
  return `- \`${name}\`: ${what}`;
}
