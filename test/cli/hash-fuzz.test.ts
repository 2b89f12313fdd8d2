import { beforeAll, describe, expect, it } from "vitest";
import { hashSeeds, mutatedLines } from "../../bench/hash-mutations.js";
import { checkHash } from "../../src/hash/grammar.js";
import { runCli } from "../support/cli.js";
import { type JsonLine, jsonLines, workFolders } from "./support.js";
import { repeated } from "../support/repeated.js";
import { SEED } from "../support/seed.js";

const LINES = repeated({ variable: "AUTH_MIGRATE_TEST_LINES", few: 4000, full: 20_000 });

const workFolder = workFolders();

/** What was asked and what was answered: `answers[i]` is to `lines[i]`. */
interface Fuzzed {
  readonly lines: readonly string[];
  readonly answers: readonly JsonLine[];
  readonly code: number | null;
  readonly stderr: string;
}

async function fuzz(seed: number): Promise<Fuzzed> {
  const bytes = [...mutatedLines(hashSeeds(), seed, LINES)];
  const args = ["hash", "--quiet"];
  const result = await runCli(args, { cwd: workFolder(), stdin: Buffer.concat(bytes) });
  const lines = bytes.map((line) => line.toString().slice(0, -1));
  return { ...result, lines, answers: jsonLines(result.stdout) };
}

describe(`${LINES} mutated hash lines through one process (seed ${SEED})`, () => {
  let run: Fuzzed;
  beforeAll(async () => {
    run = await fuzz(SEED);
  });

  /** The answers of a verdict, with their lines. */
  function answered(verdict: string): { line: string; answer: JsonLine }[] {
    return run.answers.flatMap((answer, index) => {
      return answer.verdict === verdict ? [{ line: run.lines[index] ?? "", answer }] : [];
    });
  }

  it("are all answered, in their order, and nothing goes wrong", () => {
    expect(run.code).toBe(0);
    expect(run.stderr).toBe("");
    expect(run.answers.map(({ line }) => line)).toEqual(run.lines.map((_, index) => index + 1));
    // Else the rest would hold for want of examples.
    for (const verdict of ["accepted", "refused", "none"]) {
      expect(answered(verdict).length).toBeGreaterThan(LINES / 1000);
    }
  });

  it("give no hash that a core would refuse", () => {
    for (const { answer } of answered("accepted")) {
      expect(checkHash(String(answer.hash))).toEqual({ ok: true, algorithm: answer.algorithm });
    }
  });

  it("give hashes that normalizing again leaves as they are", async () => {
    const hashes = answered("accepted").map(({ answer }) => String(answer.hash));
    const stdin = hashes.map((hash) => `${hash}\n`).join("");
    const { stdout } = await runCli(["hash", "--quiet"], { cwd: workFolder(), stdin });
    const again = jsonLines(stdout);
    expect(again.map(({ hash }) => hash)).toEqual(hashes);
    expect(again.filter(({ steps }) => String(steps) !== "")).toEqual([]);
  });

  it("get one hint a code, or one more where the bridge verifies them, and nothing of themselves", () => {
    const hints = new Map<unknown, unknown>();
    for (const { line, answer } of answered("refused")) {
      const { code, hint, ...rest } = answer;
      expect(rest).toEqual({ type: "hash", v: 1, line: answer.line, verdict: "refused" });
      expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(hint).toMatch(/^(?:[A-Z]|phpBB|vBulletin).*\.$/);
      const kind = `${code} ${String(hint).includes("--on-unusable-hash bridge")}`;
      expect(hints.get(kind) ?? hint).toBe(hint);
      hints.set(kind, hint);
      const end = line.trim().slice(-16);
      if (end.length === 16) expect(hint).not.toContain(end);
    }
    expect(hints.size).toBeGreaterThan(20);
  });
});
