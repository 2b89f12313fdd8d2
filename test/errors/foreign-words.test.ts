import { describe, expect, it } from "vitest";
import { proofFailed } from "../../src/cli/core-proof.js";
import { CoreFailure, type CoreFailureKind } from "../../src/core/core-failure.js";
import { coreMessage } from "../../src/core/http/core-message.js";
import { unfinished } from "../../src/plan/outcomes.js";
import { importFailed, signInFailed } from "../../src/prove/hints.js";
import type { Unproved } from "../../src/prove/proof.js";
import { sourceFiles } from "../laws/source-files.js";

const WORDS = "Role ghost does not exist";

/** All that is said of a core's words, with words of this program behind them. */
function toldOf(words: string): string[] {
  const message = coreMessage(JSON.stringify({ message: words }), []);
  const hints = (["refused", "broken", "busy"] satisfies CoreFailureKind[]).map((kind) => {
    const failure = new CoreFailure(kind, message, { reached: "yes" });
    const ended = unfinished({ failure, maybeApplied: false });
    return "hint" in ended ? ended.hint : "";
  });
  const proof = { user: 1, row: null, sourceId: null, algorithm: null, steps: [], signedIn: null };
  return [...hints.map((hint) => importFailed("core_refused", hint)), signInFailed(message)].map(
    (hint) => {
      const failed: Unproved = { ...proof, ok: false, code: "import_failed", hint };
      return proofFailed([failed], "t.csv", failed).hint;
    },
  );
}

describe("a core's words", () => {
  it.each([WORDS, `${WORDS}.`])("are ended before what is to be done about them: %s", (words) => {
    const told = toldOf(words);
    for (const hint of told) {
      expect(hint).toMatch(/: Role ghost does not exist(?:\. [A-Z]|; )/);
      expect(hint).toMatch(/\. Mend it, then run the same command again/);
      expect(hint).not.toMatch(/\.[.;]/);
    }
    expect(told).toEqual(toldOf(WORDS));
  });

  it("keep the mark that they end with", () => {
    expect(toldOf("Why?").at(-1)).toContain(": Why? Look into");
  });
});

it("no hint and no message of another has words behind it that aren't ended by sentence()", () => {
  const joined = /\$\{[^{}]*\b(?:hint|message)\}\.? (?:[A-Z]|\$\{)/;
  const lines = sourceFiles().flatMap(({ path, code }) =>
    code.split("\n").flatMap((line) => (joined.test(line) ? `${path}: ${line.trim()}` : [])),
  );
  expect(lines).toEqual([]);
});
