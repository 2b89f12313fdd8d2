/** The Kubernetes Jobs, and what Kubernetes does with a pod's exit code by their rules. */

import { z } from "zod";
import { deployText, objectsIn } from "./files.js";

const Mount = z.object({
  name: z.string(),
  mountPath: z.string(),
  readOnly: z.boolean().default(false),
});
const Container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()),
  workingDir: z.string(),
  securityContext: z.object({ readOnlyRootFilesystem: z.boolean() }),
  volumeMounts: z.array(Mount),
});
const Rule = z.object({
  action: z.enum(["Ignore", "Count", "FailIndex", "FailJob"]),
  onExitCodes: z
    .object({
      containerName: z.string(),
      operator: z.enum(["In", "NotIn"]),
      values: z.array(z.number()),
    })
    .optional(),
  onPodConditions: z.array(z.object({ type: z.string() })).optional(),
});
const Job = z.object({
  kind: z.literal("Job"),
  spec: z.object({
    completions: z.number().optional(),
    parallelism: z.number().optional(),
    maxFailedIndexes: z.number().optional(),
    podFailurePolicy: z.object({ rules: z.array(Rule) }).optional(),
    template: z.object({
      spec: z.object({
        restartPolicy: z.string(),
        terminationGracePeriodSeconds: z.number().optional(),
        shareProcessNamespace: z.boolean().optional(),
        securityContext: z.object({ runAsUser: z.number(), runAsNonRoot: z.boolean() }),
        containers: z.tuple([Container]),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
});
const ConfigMap = z.object({
  kind: z.literal("ConfigMap"),
  data: z.record(z.string(), z.string()),
});

type JobSpec = z.infer<typeof Job>["spec"];
type FailureRule = z.infer<typeof Rule>;

/** The one Job of a manifest. */
export function jobOf(name: "split-job.yaml" | "import-job.yaml" | "report-job.yaml"): JobSpec {
  const jobs = objectsIn(deployText(`kubernetes/${name}`)).flatMap((object) => {
    const { success, data } = Job.safeParse(object);
    return success ? [data.spec] : [];
  });
  const [job] = jobs;
  if (job === undefined || jobs.length > 1) throw new Error(`${name} has ${jobs.length} Jobs`);
  return job;
}

/** The files of the import's ConfigMap, by their names. */
export function configFiles(): Readonly<Record<string, string>> {
  const found = objectsIn(deployText("kubernetes/import-job.yaml")).flatMap((object) => {
    const { success, data } = ConfigMap.safeParse(object);
    return success ? [data.data] : [];
  });
  return found[0] ?? {};
}

/** What becomes of a failed pod of the import, in the order in which it is asked. */
export function failureRules(): FailureRule[] {
  return jobOf("import-job.yaml").podFailurePolicy?.rules ?? [];
}

/** The rules of the import's Job that speak of an exit code. */
export function rulesFor(code: number): FailureRule[] {
  return failureRules().filter(({ onExitCodes }) => {
    if (onExitCodes === undefined) return false;
    return onExitCodes.values.includes(code) === (onExitCodes.operator === "In");
  });
}
