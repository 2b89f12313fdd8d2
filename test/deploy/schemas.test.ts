import { describe, expect, it } from "vitest";
import { batchRetries } from "./support/batch.js";
import { deployJson, deployText, objectsIn } from "./support/files.js";
import { batchErrors, kubernetesErrors } from "./support/schemas.js";

const MANIFESTS = ["storage.yaml", "split-job.yaml", "import-job.yaml", "report-job.yaml"];

/** A text with one thing changed; a change that changes nothing is a mistake of the test. */
function broken(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  return changed;
}

describe("the Kubernetes manifests", () => {
  it.each(MANIFESTS)("%s is as Kubernetes' API has it", (name) => {
    const objects = objectsIn(deployText(`kubernetes/${name}`));
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.flatMap(kubernetesErrors)).toEqual([]);
  });

  it.each([
    ["a key that is typed wrong", "backoffLimitPerIndex", "backOffLimitPerIndex"],
    ["an action that there is not", "action: FailIndex", "action: FailShard"],
    ["a number as text", "completions: 8", 'completions: "8"'],
    ["an argument that isn't text", "[sh, -c]", "[sh, 1]"],
    ["no template", "template:", "templates:"],
    ["a rule without an operator", /operator: In\n/, "\n"],
    ["a volume of no known kind", "emptyDir:", "emptyFolder:"],
  ])("are refused with %s", (_, from, to) => {
    const text = broken(deployText("kubernetes/import-job.yaml"), from, to);
    expect(objectsIn(text).flatMap(kubernetesErrors)).not.toEqual([]);
  });

  it("are refused with an access mode that there is not", () => {
    const text = broken(deployText("kubernetes/storage.yaml"), "ReadWriteMany", "ReadWriteAll");
    expect(objectsIn(text).flatMap(kubernetesErrors)).not.toEqual([]);
  });
});

describe("the files for AWS Batch", () => {
  const definition = deployText("aws-batch/job-definition.json");

  it("are as the API's model has them", () => {
    const register = deployJson("aws-batch/job-definition.json");
    expect(batchErrors("RegisterJobDefinitionRequest", register)).toEqual([]);
    for (const name of ["submit-split", "submit-import", "submit-report"]) {
      expect(batchErrors("SubmitJobRequest", deployJson(`aws-batch/${name}.json`))).toEqual([]);
    }
  });

  it.each([
    ["a key that is typed wrong", "evaluateOnExit", "evaluateOnExits"],
    ["an exit code that is a number", '"onExitCode": "75"', '"onExitCode": 75'],
    ["a kind of job that there is not", '"type": "container"', '"type": "array"'],
    ["a condition without an action", /,\s*"action": "EXIT"/, ""],
    ["a requirement that there is not", '"VCPU"', '"CPU"'],
  ])("are refused with %s", (_, from, to) => {
    const value: unknown = JSON.parse(broken(definition, from, to));
    expect(batchErrors("RegisterJobDefinitionRequest", value)).not.toEqual([]);
  });

  it("keep to the limits that the model has only in words", () => {
    const { attempts, evaluateOnExit } = batchRetries();
    expect(attempts).toBeLessThanOrEqual(10);
    expect(evaluateOnExit.length).toBeLessThanOrEqual(5);
    const codes = evaluateOnExit.flatMap(({ onExitCode }) => onExitCode ?? []);
    expect(codes.filter((code) => !/^\d*\*?$/.test(code))).toEqual([]);
  });
});
