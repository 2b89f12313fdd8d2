import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { pageText } from "../docs/support/blocks.js";
import { batchAction } from "./support/batch.js";
import { failureRules, jobOf, rulesFor } from "./support/kubernetes.js";

const CODES = Object.keys(EXIT_CODES).map(Number);
const FAILURES = CODES.filter((code) => code !== 0);
/** 75, and a run that a signal stopped with its progress saved. */
const AGAIN = [75, 129, 130, 143];
const FINAL = FAILURES.filter((code) => !AGAIN.includes(code));

/** What docs/deploy/README.md says of each code, by its table. */
function toldOf(code: number): readonly string[] {
  const rows = pageText("docs/deploy/README.md").match(/^\| [\d, ]+ \|.*$/gm) ?? [];
  const row = rows.find((each) => each.split("|")[1]?.match(/\d+/g)?.map(Number).includes(code));
  return (row ?? "").split("|").map((cell) => cell.trim());
}

it("the codes that are run again are those of which the docs say so", () => {
  const page = pageText("docs/exit-codes.md");
  const wanted = FINAL.filter((code) => !new RegExp(`^\\| ${code} \\| no \\|`, "m").test(page));
  expect(wanted).toEqual([]);
  expect(page).toMatch(/^\| 75 \| yes \|/m);
});

describe("the rules of the Kubernetes Job", () => {
  it.each(FAILURES)("speak of %i once", (code) => {
    expect(rulesFor(code)).toHaveLength(1);
  });

  it("speak of no code that there is not, but for a kill", () => {
    const values = failureRules().flatMap(({ onExitCodes }) => onExitCodes?.values ?? []);
    expect(values.filter((code) => !CODES.includes(code))).toEqual([137]);
  });

  it.each(AGAIN)("have %i run again, up to the limit", (code) => {
    expect(rulesFor(code)[0]?.action).toBe("Count");
  });

  it.each(FINAL)("have %i end its shard, and no other", (code) => {
    expect(rulesFor(code)[0]?.action).toBe("FailIndex");
  });

  it("ask for a disruption first, which counts for nothing", () => {
    const [first] = failureRules();
    expect(first).toMatchObject({
      action: "Ignore",
      onPodConditions: [{ type: "DisruptionTarget" }],
    });
  });

  it("are of the container that imports", () => {
    const { template } = jobOf("import-job.yaml");
    const names = failureRules().flatMap(({ onExitCodes }) => onExitCodes?.containerName ?? []);
    expect(new Set(names)).toEqual(new Set([template.spec.containers[0].name]));
  });
});

describe("the conditions of AWS Batch", () => {
  it.each(AGAIN)("have %i run again", (code) => {
    expect(batchAction(code)).toBe("RETRY");
  });

  it.each(FINAL)("have %i end its shard", (code) => {
    expect(batchAction(code)).toBe("EXIT");
  });
});

describe("docs/deploy/README.md", () => {
  it.each(FAILURES)("says of %i what the files do", (code) => {
    const [, , again, kubernetes, batch, slurm] = toldOf(code);
    const isAgain = AGAIN.includes(code);
    expect(again).toBe(isAgain ? "yes" : "no");
    expect(kubernetes).toBe(`\`${rulesFor(code)[0]?.action}\``);
    expect(batch).toBe(`\`${batchAction(code)}\``);
    expect(slurm).toBe(isAgain ? "queued again" : "failed");
  });
});
