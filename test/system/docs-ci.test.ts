import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Block, blocksOf, pageText } from "../docs/support/blocks.js";
import { openSession, type Session } from "../docs/support/session.js";

const newPath = temporaryPaths();
const BLOCKS = blocksOf("docs/ci.md", pageText("docs/ci.md"));
const [GITHUB, GITLAB] = BLOCKS.filter(({ directive }) => directive.fixtures.length > 0);

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
type Step = z.infer<typeof Step>;
const Workflow = z.object({ jobs: z.object({ migrate: z.object({ steps: z.array(Step) }) }) });
const Pipeline = z.object({
  "migrate-users": z.object({
    script: z.array(z.string()),
    after_script: z.array(z.string()),
    retry: z.object({ exit_codes: z.array(z.number()) }),
  }),
});

const SHELL = ["bash", "-e", "-o", "pipefail", "-c"];
/** What a step finds where a runner puts its summary. */
const SUMMARY = "step-summary.md";

async function inSession<T>(block: Block | undefined, work: (session: Session) => Promise<T>) {
  const session = await openSession(newPath("job"), block?.text ?? "");
  try {
    session.give(block?.directive.fixtures ?? []);
    return await work(session);
  } finally {
    await session.end();
  }
}

interface Ran {
  readonly step: Step;
  readonly code: number | null;
  readonly output: string;
}

/** Runs a job's steps as a runner does: behind a failed one only those that always run. */
async function runSteps(session: Session, change: (script: string) => string): Promise<Ran[]> {
  const ran: Ran[] = [];
  const { steps } = Workflow.parse(parse(GITHUB?.text ?? "")).jobs.migrate;
  for (const step of steps) {
    const hasFailed = ran.some(({ code }) => code !== 0);
    if (step.run === undefined || (hasFailed && step.if !== "always()")) continue;
    const env = { CI: "true", GITHUB_STEP_SUMMARY: SUMMARY };
    ran.push({ step, ...(await session.run(change(step.run), SHELL, env)) });
  }
  return ran;
}

const asItStands = (script: string): string => script;

describe("the workflow for GitHub Actions", () => {
  it("imports, and writes a summary", async () => {
    await inSession(GITHUB, async (session) => {
      const ran = await runSteps(session, asItStands);
      const failed = ran.filter(({ code }) => code !== 0);
      expect(failed.map(({ step, output }) => `${step.name}: ${output}`)).toEqual([]);
      const lines = readFileSync(join(session.folder, "run.ndjson"), "utf8").trimEnd().split("\n");
      expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ imported: 180, exitCode: 0 });
      expect(readFileSync(join(session.folder, SUMMARY), "utf8")).toContain("180");
    });
  });

  it("annotates each code of rejects once, escaped, and still writes a summary", async () => {
    await inSession(GITHUB, async (session) => {
      session.give(["demo/users-with-problems.csv:source/users.csv"]);
      const ran = await runSteps(session, (script) => script.replace(/--expect-users \d+ /, ""));
      const by = (name: string): Ran | undefined => ran.find(({ step }) => step.name === name);
      expect(by("Import")?.code).toBe(65);
      const annotations = by("Annotate")?.output.trimEnd().split("\n") ?? [];
      expect(annotations.length).toBeGreaterThan(1);
      const codes = annotations.map(
        (line) => /^::warning title=(\w+)::\d+ rejected, /.exec(line)?.[1],
      );
      expect(codes).not.toContain(undefined);
      expect(new Set(codes).size).toBe(codes.length);
      expect(by("Summarize")?.code, by("Summarize")?.output).toBe(0);
    });
  });

  it("annotates what stopped the run, with line ends and percent signs escaped", async () => {
    await inSession(GITHUB, async (session) => {
      const ran = await runSteps(session, (script) =>
        script.replace("import users.csv", "import '100%\nusers.csv'"),
      );
      const annotation = ran.find(({ step }) => step.name === "Annotate")?.output;
      expect(annotation).toMatch(/^::error title=input_unreadable::[^\n]*100%25[^\n]*\n$/);
    });
  });

  it("makes the import the step's own process, and keeps the checkpoint whatever happens", () => {
    const { steps } = Workflow.parse(parse(GITHUB?.text ?? "")).jobs.migrate;
    expect(steps.find(({ name }) => name === "Import")?.run).toMatch(
      /^exec timeout --foreground --preserve-status \d+h \S+auth-migrate import/,
    );
    const caches = steps.filter(({ uses }) => uses?.startsWith("actions/cache/"));
    expect(caches.map((step) => step.with?.path)).toEqual(Array(2).fill("auth-migrate.checkpoint"));
    expect(steps.at(-1)).toMatchObject({ uses: expect.stringMatching(/save/), if: "always()" });
  });
});

describe("the pipeline for GitLab", () => {
  it("imports, leaves a report, and runs again what was stopped or is unfinished", async () => {
    const job = Pipeline.parse(parse(GITLAB?.text ?? ""))["migrate-users"];
    expect(job.retry.exit_codes).toEqual([75, 143]);
    await inSession(GITLAB, async (session) => {
      for (const script of [job.script, job.after_script]) {
        const { code, output } = await session.run(script.join("\n"), SHELL);
        expect(code, output).toBe(0);
      }
      expect(existsSync(join(session.folder, "report.html"))).toBe(true);
    });
  });
});
