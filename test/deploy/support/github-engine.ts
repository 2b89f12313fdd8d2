/** Executes the GitHub workflow: a job's steps one after the other in a folder of its own, by the shells that a runner takes, with a cache that keeps the newest behind each prefix. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { BIN } from "../../support/cli.js";
import { type Engine, makeFolder, type Place, RATE_TOTAL } from "./engine.js";
import { deployText } from "./files.js";
import { newLog } from "./log.js";

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  with: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
});
const Workflow = z.object({
  env: z.record(z.string(), z.union([z.string(), z.number()])),
  jobs: z.object({
    import: z.object({
      strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }),
      steps: z.array(Step),
    }),
    report: z.object({ if: z.string(), needs: z.string(), steps: z.array(Step) }),
  }),
});
type Step = z.infer<typeof Step>;

/** What a runner starts for a step that names no shell, and for one that names bash. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  "": ["-e", "-c"],
  bash: ["--noprofile", "--norc", "-eo", "pipefail", "-c"],
};

/** The workflow, parsed. */
export function workflow(): z.infer<typeof Workflow> {
  return Workflow.parse(parse(deployText("github/import.yml")));
}

/** Opens a repository with the export where fetch-export.sh finds it. */
export function openGithub({ folder, core, users }: Place): Engine {
  const { env, jobs } = workflow();
  const programs = makeFolder(join(folder, "programs"));
  const program = (name: string, script: string): void =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  program("auth-migrate", `exec '${process.execPath}' '${BIN}' "$@"`);
  program(
    "npm",
    `mkdir -p node_modules/.bin && ln -sf '${programs}/auth-migrate' node_modules/.bin/`,
  );
  const exported = makeFolder(join(folder, "export"), { "users.csv": users });
  const cache = openCache(makeFolder(join(folder, "cache")));
  let executions = 0;

  const startJob = (steps: readonly Step[], context: Readonly<Record<string, string>>) => {
    executions += 1;
    const work = makeFolder(join(folder, `job-${executions}`));
    writeFileSync(join(work, "fetch-export.sh"), `#!/bin/sh\ncp '${exported}'/* .\n`, {
      mode: 0o755,
    });
    const known: Readonly<Record<string, string>> = {
      "inputs.core": core.url,
      "inputs.rate-total": String(RATE_TOTAL),
      "secrets.CORE_API_KEY": core.apiKey,
      "github.run_id": "7001",
      "github.run_attempt": String(executions),
      ...context,
    };
    const filled = (text: unknown): string =>
      String(text).replace(/\$\{\{ (\S+) \}\}/g, (_, name) => {
        const value = known[name];
        if (value === undefined) throw new Error(`the workflow asks for ${name}`);
        return value;
      });
    const log = newLog();
    let current: ChildProcess | null = null;
    const runStep = async (step: Step): Promise<number | null> => {
      const inputs = Object.fromEntries(
        Object.entries(step.with).map(([name, value]) => [name, filled(value)]),
      );
      if (step.uses?.startsWith("actions/cache/restore@")) cache.restore(work, inputs);
      if (step.uses?.startsWith("actions/cache/save@")) cache.save(work, inputs);
      if (step.run === undefined) return 0;
      const { PATH = "", HOME = "" } = process.env;
      const shell = SHELLS[step.shell ?? ""] ?? [];
      current = spawn("bash", [...shell, filled(step.run)], {
        cwd: work,
        env: {
          ...{ PATH: `${programs}:${PATH}`, HOME, CI: "true", NO_COLOR: "1" },
          GITHUB_STEP_SUMMARY: join(work, "summary.md"),
          ...filledIn(env, filled),
          ...filledIn(step.env, filled),
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      log.follow(current);
      const [code] = await once(current, "close");
      return code;
    };
    const ended = (async () => {
      let code: number | null = 0;
      for (const step of steps) {
        if (code !== 0 && step.if !== "always()") continue;
        const done = await runStep(step);
        if (code === 0) code = done;
      }
      return { code, output: log.text() };
    })();
    return { stop: () => void current?.kill("SIGINT"), says: log.says, ended };
  };
  return {
    shards: jobs.import.strategy.matrix.shard.length,
    sharesCheckpoints: false,
    execute: (index) =>
      startJob(jobs.import.steps, {
        "matrix.shard": String(jobs.import.strategy.matrix.shard[index]),
      }),
    report: () => startJob(jobs.report.steps, {}).ended,
    // By a click.
    runsAgain: ({ code }) => code !== 0,
  };
}

function filledIn(
  env: Readonly<Record<string, string | number>>,
  filled: (text: unknown) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
}

/** The cache of a repository: an entry is written once, and a prefix leads to its newest. */
function openCache(folder: string) {
  const keys: string[] = [];
  const entry = (key: string): string => join(folder, String(keys.indexOf(key)));
  return {
    restore(work: string, inputs: Readonly<Record<string, string>>): void {
      const { path = "", key = "", "restore-keys": prefix = "" } = inputs;
      const found = keys.includes(key) ? key : keys.findLast((each) => each.startsWith(prefix));
      if (found !== undefined) copyFileSync(entry(found), join(work, path));
    },
    save(work: string, { path = "", key = "" }: Readonly<Record<string, string>>): void {
      if (keys.includes(key) || !existsSync(join(work, path))) return;
      keys.push(key);
      mkdirSync(folder, { recursive: true });
      copyFileSync(join(work, path), entry(key));
    },
  };
}
