/** The job definition for AWS Batch, and what it does with an exit code. */

import { z } from "zod";
import { deployJson } from "./files.js";

const Definition = z.object({
  containerProperties: z.object({
    command: z.array(z.string()),
    user: z.string(),
    readonlyRootFilesystem: z.boolean(),
    secrets: z.array(z.object({ name: z.string() })),
    mountPoints: z.array(
      z.object({ sourceVolume: z.string(), containerPath: z.string(), readOnly: z.boolean() }),
    ),
  }),
  retryStrategy: z.object({
    attempts: z.number(),
    evaluateOnExit: z.array(
      z.object({
        onExitCode: z.string().optional(),
        onStatusReason: z.string().optional(),
        action: z.enum(["RETRY", "EXIT"]),
      }),
    ),
  }),
});

/** The container of each shard. */
export function batchContainer(): z.infer<typeof Definition>["containerProperties"] {
  return Definition.parse(deployJson("aws-batch/job-definition.json")).containerProperties;
}

/** When a shard is run again. */
export function batchRetries(): z.infer<typeof Definition>["retryStrategy"] {
  return Definition.parse(deployJson("aws-batch/job-definition.json")).retryStrategy;
}

/** What AWS Batch does with a job that ended with this code: the first condition that fits counts, and a job for which none does is run again. */
export function batchAction(code: number): "RETRY" | "EXIT" {
  const rule = batchRetries().evaluateOnExit.find(
    ({ onExitCode }) => onExitCode !== undefined && fits(onExitCode, String(code)),
  );
  return rule?.action ?? "RETRY";
}

function fits(pattern: string, code: string): boolean {
  return pattern.endsWith("*") ? code.startsWith(pattern.slice(0, -1)) : code === pattern;
}
