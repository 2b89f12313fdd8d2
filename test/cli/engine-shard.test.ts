import { describe, expect, it } from "vitest";
import { engineShard } from "../../src/cli/engine-shard.js";
import { RunError } from "../../src/errors/run-error.js";

function slurm(id: number, min: number, count: number, step = 1): Record<string, string> {
  return {
    SLURM_ARRAY_TASK_ID: String(id),
    SLURM_ARRAY_TASK_MIN: String(min),
    SLURM_ARRAY_TASK_COUNT: String(count),
    SLURM_ARRAY_TASK_STEP: String(step),
  };
}

function refusal(environment: Record<string, string>, shards: number | null): RunError {
  try {
    engineShard(environment, shards);
  } catch (error) {
    if (error instanceof RunError) return error;
  }
  throw new Error("it was taken");
}

describe("the shard of an engine's task", () => {
  it("is one more than the index of a Kubernetes Job, which doesn't say how many there are", () => {
    expect(engineShard({ JOB_COMPLETION_INDEX: "0" }, 8)).toEqual({ index: 1, count: 8 });
    expect(engineShard({ JOB_COMPLETION_INDEX: "7" }, 8)).toEqual({ index: 8, count: 8 });
    expect(refusal({ JOB_COMPLETION_INDEX: "7" }, null).hint).toContain("--shards N");
    expect(refusal({ JOB_COMPLETION_INDEX: "8" }, 8).message).toContain("9/8");
  });

  it("is told by AWS Batch, with the size of the array", () => {
    const environment = { AWS_BATCH_JOB_ARRAY_INDEX: "2", AWS_BATCH_JOB_ARRAY_SIZE: "8" };
    expect(engineShard(environment, null)).toEqual({ index: 3, count: 8 });
    expect(engineShard({ AWS_BATCH_JOB_ARRAY_INDEX: "2" }, 8)).toEqual({ index: 3, count: 8 });
  });

  it("is told by Slurm, whatever its ids begin with and however far they are apart", () => {
    expect(engineShard(slurm(0, 0, 8), null)).toEqual({ index: 1, count: 8 });
    expect(engineShard(slurm(8, 1, 8), null)).toEqual({ index: 8, count: 8 });
    expect(engineShard(slurm(104, 100, 3, 2), null)).toEqual({ index: 3, count: 3 });
  });

  it("isn't guessed where some ids of an array are sent once more", () => {
    expect(refusal(slurm(3, 3, 1), null).hint).toContain("--shard i/n");
    expect(refusal(slurm(3, 3, 1), 8).message).toContain("1 tasks");
    expect(refusal(slurm(7, 2, 3), null).message).toContain("gaps");
    expect(engineShard(slurm(3, 3, 1), 1)).toEqual({ index: 1, count: 1 });
  });

  it("isn't guessed where nobody, or more than one engine, speaks", () => {
    expect(refusal({}, 8).message).toContain("No engine");
    expect(refusal({ JOB_COMPLETION_INDEX: "" }, 8).message).toContain("No engine");
    const two = { JOB_COMPLETION_INDEX: "1", AWS_BATCH_JOB_ARRAY_INDEX: "1" };
    expect(refusal(two, 8).message).toContain("Several engines");
  });

  it("is refused where a variable holds something else than a number", () => {
    expect(refusal({ JOB_COMPLETION_INDEX: "first" }, 8).message).toContain("JOB_COMPLETION_INDEX");
    expect(refusal({ ...slurm(1, 0, 8), SLURM_ARRAY_TASK_COUNT: "-8" }, null).code).toBe("usage");
  });
});
