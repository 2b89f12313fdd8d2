import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageText } from "../docs/support/blocks.js";
import { ROOT } from "../laws/source-files.js";
import { batchContainer } from "./support/batch.js";
import { deployJson, deployText } from "./support/files.js";
import { jobOf } from "./support/kubernetes.js";

const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const [, WORKDIR] = /^USER node\nWORKDIR (\S+)$/m.exec(DOCKERFILE) ?? [];
/** The user `node` of Node.js' own images. */
const UID = 1000;

describe("the number of parts is the same wherever it stands", () => {
  it("for Kubernetes", () => {
    const { completions, parallelism, maxFailedIndexes } = jobOf("import-job.yaml");
    expect([completions, parallelism, maxFailedIndexes]).toEqual([8, 8, 8]);
    expect(jobOf("split-job.yaml").template.spec.containers[0].args).toContain("--shards=8");
  });

  it("for AWS Batch", () => {
    expect(deployJson("aws-batch/submit-import.json")).toMatchObject({
      arrayProperties: { size: 8 },
    });
    expect(deployText("aws-batch/submit-split.json")).toContain("--shards 8");
  });

  it("for Slurm", () => {
    expect(deployText("slurm/auth-migrate.sbatch")).toMatch(/^#SBATCH --array=1-8$/m);
    expect(pageText("docs/deploy/slurm.md")).toContain("--shards 8");
  });
});

describe("the containers fit the image", () => {
  const pods = (["split-job.yaml", "import-job.yaml", "report-job.yaml"] as const).map(
    (name) => jobOf(name).template.spec,
  );

  it("run its own program in its own folder, as its own user, and write nowhere else", () => {
    for (const { securityContext, containers, restartPolicy } of pods) {
      const [container] = containers;
      const program = container.command === undefined ? "" : "exec auth-migrate ";
      expect(container.args[0]).toMatch(new RegExp(`^${program}(?:split|import|report)`));
      expect(container.workingDir).toBe(WORKDIR);
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
      expect(securityContext).toMatchObject({ runAsUser: UID, runAsNonRoot: true });
      expect(restartPolicy).toBe("Never");
      const writable = container.volumeMounts.filter(({ readOnly }) => !readOnly);
      expect(writable.map(({ mountPath }) => mountPath)).toEqual([WORKDIR, "/tmp"]);
    }
    const batch = batchContainer();
    expect(batch).toMatchObject({ user: `${UID}:${UID}`, readonlyRootFilesystem: true });
    const writable = batch.mountPoints.filter(({ readOnly }) => !readOnly);
    expect(writable.map(({ containerPath }) => containerPath)).toEqual([WORKDIR, "/tmp"]);
  });

  it("have time for every call in flight, and aren't process 1", () => {
    const transport = readFileSync(join(ROOT, "src/core/http/transport.ts"), "utf8");
    const [, ms = ""] = /DEFAULT_TIMEOUT_MS = ([\d_]+);/.exec(transport) ?? [];
    const [, spec] = pods;
    expect(Number(ms.replaceAll("_", ""))).toBeGreaterThan(0);
    expect(spec?.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(ms.replaceAll("_", "")) / 1000,
    );
    expect(spec?.shareProcessNamespace).toBe(true);
    expect(deployText("aws-batch/job-definition.json")).toContain('"initProcessEnabled": true');
  });
});

describe("no key", () => {
  it("is an argument, or stands in a file", () => {
    const files = [
      ...["kubernetes/import-job.yaml", "kubernetes/report-job.yaml"],
      ...["slurm/auth-migrate.sbatch", "aws-batch/job-definition.json"],
    ];
    for (const name of files) expect(deployText(name)).not.toMatch(/--api-key[ =]/);
    const kinds = deployText("kubernetes/import-job.yaml").match(/^kind: .*/gm);
    expect(kinds).toEqual(["kind: ConfigMap", "kind: Job"]);
    expect(batchContainer().secrets.map(({ name }) => name)).toEqual(["AUTH_MIGRATE_API_KEY"]);
  });
});
