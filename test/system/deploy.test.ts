import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { everyone, workFolders } from "../cli/support.js";
import { pageText } from "../docs/support/blocks.js";
import { type ServedCore, startServe } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { batchContainer } from "../deploy/support/batch.js";
import {
  type Container,
  type Ended,
  OURS,
  programIn,
  runContainer,
  runTask,
} from "../deploy/support/engine.js";
import { deployJson } from "../deploy/support/files.js";
import { configFiles, type JobContainer, jobOf } from "../deploy/support/kubernetes.js";

const newFolder = workFolders();
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];
const MISSED = 5;
/** So many that every part has some. */
const USERS = 120;
const EXPORT = [
  "id,email,email_verified,password_hash",
  ...Array.from({ length: USERS }, (_, index) => {
    const hash = index % 4 === 3 ? "" : KNOWN_HASHES.bcrypt.passwordHash;
    return `${index + 1},reader.${index + 1}@example.com,true,${hash}`;
  }),
].join("\n");
const CORE = "https://core.example.com";

/** What an engine runs: a job that splits, an array that imports, and a job that proves. */
interface Engine {
  split(): Promise<Ended>;
  /** @param part from 1 */
  import(part: number): Promise<Ended>;
  report(): Promise<Ended>;
}

function openKubernetes(place: string, { url, apiKey }: ServedCore): Engine {
  const folder = foldersIn(place);
  const volumes: Readonly<Record<string, string>> = {
    checkpoints: folder("work"),
    export: folder("export", { "users.csv": EXPORT }),
    config: folder(
      "config",
      mapValues(configFiles(), (text) => text.replace(CORE, url)),
    ),
    secrets: folder("secrets", { "api-key": `${apiKey}\n` }),
    scratch: folder("scratch"),
  };
  const containerOf = ({ command = ["auth-migrate"], args, volumeMounts }: JobContainer) => ({
    words: [...command, ...args],
    mounts: Object.fromEntries(
      volumeMounts.map(({ name, mountPath }) => [mountPath, volumes[name] ?? ""]),
    ),
  });
  const run = (name: Parameters<typeof jobOf>[0], env: Container["env"] = {}): Promise<Ended> =>
    runContainer({ ...containerOf(jobOf(name).template.spec.containers[0]), env });
  return {
    split: () => run("split-job.yaml"),
    import: (part) => run("import-job.yaml", { JOB_COMPLETION_INDEX: String(part - 1) }),
    report: () => run("report-job.yaml"),
  };
}

const Submit = z.object({ containerOverrides: z.object({ command: z.tuple([z.string()]) }) });

function openBatch(place: string, { url, apiKey }: ServedCore): Engine {
  const { command, mountPoints, secrets } = batchContainer();
  const folder = foldersIn(place);
  const volumes: Readonly<Record<string, string>> = {
    checkpoints: folder("work"),
    export: folder("export", { "users.csv": EXPORT }),
    scratch: folder("scratch"),
  };
  const mounts = Object.fromEntries(
    mountPoints.map(({ sourceVolume, containerPath }) => [
      containerPath,
      volumes[sourceVolume] ?? "",
    ]),
  );
  const key = Object.fromEntries(secrets.map(({ name }) => [name, apiKey]));
  // The entrypoint of deploy/aws-batch/Dockerfile.
  const run = (words: readonly string[], env: Container["env"] = {}): Promise<Ended> =>
    runContainer({
      words: ["sh", "-c", ...words.map((word) => word.replace(CORE, url))],
      ...{ mounts, env: { ...key, ...env } },
    });
  const submitted = (name: string): Promise<Ended> =>
    run(Submit.parse(deployJson(`aws-batch/${name}.json`)).containerOverrides.command);
  return {
    split: () => submitted("submit-split"),
    import: (part) => run(command, { AWS_BATCH_JOB_ARRAY_INDEX: String(part - 1) }),
    report: () => submitted("submit-report"),
  };
}

function openSlurm(place: string, { url, apiKey }: ServedCore): Engine {
  const folder = foldersIn(place);
  const work = folder("work", { "users.csv": EXPORT });
  const key = join(folder("home", { "api-key": apiKey }), "api-key");
  const program = programIn(folder("bin"), "auth-migrate", OURS);
  const page = pageText("docs/deploy/slurm.md");
  const wrapped = (verb: string): Promise<Ended> => {
    const [, command = ""] = new RegExp(`--wrap '(auth-migrate ${verb} [^']+)'`).exec(page) ?? [];
    const words = ["sh", "-c", command.replace("/shared/migration/", "")];
    return runContainer({ words, mounts: { "/work": work, "/tmp": folder("scratch") } });
  };
  return {
    split: () => wrapped("split"),
    import: (task) =>
      runTask({ folder: work, task, program, env: { CORE: url, API_KEY_FILE: key } }),
    report: () => wrapped("report"),
  };
}

const ENGINES: readonly (readonly [string, (place: string, core: ServedCore) => Engine])[] = [
  ["Kubernetes", openKubernetes],
  ["AWS Batch", openBatch],
  ["Slurm", openSlurm],
];

describe.each(ENGINES)("the files for %s", (_, open) => {
  it("split an export, import each part once, and prove that none is missing", async () => {
    const core = await startServe({ cwd: newFolder() });
    const engine = open(newFolder(), core);
    const all = async (work: Promise<Ended>, code: number): Promise<string> => {
      const ended = await work;
      expect(ended.code, ended.output).toBe(code);
      expect(ended.output).not.toContain(core.apiKey);
      return ended.output;
    };
    await all(engine.split(), 0);
    for (const part of PARTS) if (part !== MISSED) await all(engine.import(part), 0);
    expect(await all(engine.report(), 75)).toContain(`${MISSED}/${PARTS.length}`);
    await all(engine.import(MISSED), 0);
    await all(engine.report(), 0);
    // None is new to the checkpoint that has brought them.
    expect(await all(engine.import(MISSED), 0)).toMatch(/"imported":0.*"unchanged":[1-9]/);
    const there = await everyone(core);
    expect([there.length, new Set(there).size]).toEqual([USERS, USERS]);
    await core.stop();
  });
});

/** Makes folders in a place, with files by their names. */
function foldersIn(place: string) {
  return (name: string, files: Readonly<Record<string, string>> = {}): string => {
    const path = join(place, name);
    mkdirSync(path, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  };
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
