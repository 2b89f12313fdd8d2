/** The commands of the deployment files, each as its engine gives it to a shell. What becomes of all parts of an export, test/cli/shards.test.ts says. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { workFolders, writeInto } from "../cli/support.js";
import { batchContainer } from "../deploy/support/batch.js";
import { OURS, programIn, runIn } from "../deploy/support/engine.js";
import { deployJson } from "../deploy/support/files.js";
import { configFiles, jobOf } from "../deploy/support/kubernetes.js";
import { pageText } from "../docs/support/blocks.js";
import { startServe } from "../support/cli.js";

const newFolder = workFolders();
/** So many that every part has some. */
const ROWS = Array.from({ length: 60 }, (_, at) => `${at},reader.${at}@example.com,true`);
const Submit = z.object({ containerOverrides: z.object({ command: z.tuple([z.string()]) }) });

function ofJob(name: Parameters<typeof jobOf>[0]): string {
  const { command, args } = jobOf(name).template.spec.containers[0];
  return command === undefined ? ["auth-migrate", ...args].join(" ") : args.join(" ");
}

function submitted(name: string): string {
  return Submit.parse(deployJson(`aws-batch/${name}.json`)).containerOverrides.command[0];
}

function wrapped(verb: string): string {
  const page = pageText("docs/deploy/slurm.md");
  return new RegExp(`--wrap '(auth-migrate ${verb} [^']+)'`).exec(page)?.[1] ?? "";
}

/** Split, import and report; the script of Slurm's import has its own tests. */
const ENGINES = [
  ["Kubernetes", [ofJob("split-job.yaml"), ofJob("import-job.yaml"), ofJob("report-job.yaml")]],
  [
    "AWS Batch",
    [submitted("submit-split"), batchContainer().command[0] ?? "", submitted("submit-report")],
  ],
  [
    "Slurm",
    [wrapped("split"), 'auth-migrate import parts/part-3 --core "$CORE"', wrapped("report")],
  ],
] as const;

it.each(ENGINES)(
  "the commands for %s split an export, import a part and miss the others",
  async (_, commands) => {
    const core = await startServe({ cwd: newFolder() });
    const cwd = newFolder();
    const programs = join(cwd, "programs");
    programIn(programs, "auth-migrate", OURS);
    const config = configFiles()["auth-migrate.config.json"] ?? "";
    writeInto(cwd, "config.json", config.replace("https://core.example.com", core.url));
    writeInto(cwd, "key", core.apiKey);
    writeInto(cwd, "users.csv", ["id,email,email_verified", ...ROWS].join("\n"));
    const env = {
      CORE: core.url,
      AUTH_MIGRATE_API_KEY: core.apiKey,
      ...{ JOB_COMPLETION_INDEX: "2", AWS_BATCH_JOB_ARRAY_INDEX: "2" },
    };
    const run = (command: string) => {
      const here = command
        .replace(/\S+\/users\.csv/, "users.csv")
        .replace("/etc/auth-migrate/auth-migrate.config.json", "config.json")
        .replace("/run/secrets/auth-migrate/api-key", "key")
        .replace("https://core.example.com", core.url);
      return runIn({ cwd, programs, env }, "sh", "-c", here);
    };
    const [split, imported, report] = [
      await run(commands[0]),
      await run(commands[1]),
      await run(commands[2]),
    ];
    expect(split.code, split.output).toBe(0);
    expect(imported.code, imported.output).toBe(0);
    expect(report.code, report.output).toBe(75);
    expect(report.output).toMatch(/7 flaws/);
    await core.stop();
  },
);
