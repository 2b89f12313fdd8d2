/** Executes the array job of AWS Batch: the container's command with the variables of a child, its mounts as folders. */

import { join } from "node:path";
import { z } from "zod";
import { startCli } from "../../support/cli.js";
import { batchAction, batchContainer } from "./batch.js";
import { type Engine, makeFolder, type Place, RATE_TOTAL, withPaths } from "./engine.js";
import { deployJson } from "./files.js";

const Submit = z.object({
  arrayProperties: z.object({ size: z.number() }).optional(),
  containerOverrides: z.object({ command: z.array(z.string()) }).optional(),
});

/** Opens an account with the file systems of the job definition. */
export function openBatch({ folder, core, users }: Place): Engine {
  const { command, mountPoints, secrets } = batchContainer();
  const submit = Submit.parse(deployJson("aws-batch/submit-import.json"));
  const report = Submit.parse(deployJson("aws-batch/submit-report.json"));
  const size = submit.arrayProperties?.size ?? 0;
  const volumes = new Map([
    ["checkpoints", makeFolder(join(folder, "checkpoints"))],
    ["export", makeFolder(join(folder, "export"), { "users.csv": users })],
    ["scratch", makeFolder(join(folder, "scratch"))],
  ]);
  const paths = new Map(
    mountPoints.map(({ sourceVolume, containerPath }) => [
      containerPath,
      volumes.get(sourceVolume) ?? "",
    ]),
  );
  const run = (words: readonly string[], env: Readonly<Record<string, string>>) => {
    // What is to be filled in.
    const addressed = words.map((word, at) =>
      words[at - 1] === "--rate-total"
        ? String(RATE_TOTAL)
        : word.replace("https://core.example.com", core.url),
    );
    const cli = startCli(withPaths(addressed, paths), {
      // The image's own working directory.
      cwd: paths.get("/work") ?? "",
      env: {
        TMPDIR: paths.get("/tmp") ?? "",
        ...Object.fromEntries(secrets.map(({ name }) => [name, core.apiKey])),
        ...env,
      },
    });
    const ended = cli.ended.then(({ code, stdout, stderr }) => ({ code, output: stdout + stderr }));
    return { stop: () => cli.kill("SIGTERM"), says: cli.says, ended };
  };
  return {
    shards: size,
    sharesCheckpoints: true,
    execute: (index) =>
      run(command, {
        AWS_BATCH_JOB_ARRAY_INDEX: String(index),
        AWS_BATCH_JOB_ARRAY_SIZE: String(size),
      }),
    report: () => run(report.containerOverrides?.command ?? [], {}).ended,
    runsAgain: ({ code }) => batchAction(code ?? 0) === "RETRY",
  };
}
