/** Executes the Kubernetes Jobs: a pod's arguments with JOB_COMPLETION_INDEX, its volumes as folders, and ConfigMap and Secret as the kubelet lays them out. */

import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { BIN, startCli } from "../../support/cli.js";
import { type Engine, makeFolder, type Place, RATE_TOTAL, withPaths } from "./engine.js";
import { configFiles, type JobContainer, jobOf, rulesFor } from "./kubernetes.js";

/** Files of a ConfigMap or Secret are links to links, so that all change at once. */
function mountFiles(path: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(path);
  makeFolder(join(path, "..2026_11_21_19_00_00.1"), files);
  symlinkSync("..2026_11_21_19_00_00.1", join(path, "..data"));
  for (const name of Object.keys(files)) symlinkSync(join("..data", name), join(path, name));
  return path;
}

/** Whether every user can read a file, by the folders that lead to it. */
function isReachable(path: string): boolean {
  const stats = statSync(path);
  if ((stats.mode & (stats.isDirectory() ? 0o001 : 0o004)) === 0) return false;
  return path === dirname(path) || isReachable(dirname(path));
}

/** Opens a cluster with the volumes of storage.yaml, the ConfigMap and the Secret. */
export function openKubernetes({ folder, core, users }: Place): Engine {
  const config = Object.fromEntries(
    Object.entries(configFiles()).map(([name, text]) => [
      name,
      JSON.stringify({ ...JSON.parse(text), core: core.url, rateTotal: RATE_TOTAL }),
    ]),
  );
  const volumes = new Map([
    ["checkpoints", makeFolder(join(folder, "checkpoints"))],
    ["export", makeFolder(join(folder, "export"), { "users.csv": users })],
    ["config", mountFiles(join(folder, "config"), config)],
    ["secrets", mountFiles(join(folder, "secrets"), { "api-key": `${core.apiKey}\n` })],
    ["scratch", makeFolder(join(folder, "scratch"))],
  ]);
  const job = jobOf("import-job.yaml");
  // Without root the tester is the pods' user, and where only root can read the checkout, root is.
  const asRoot = process.getuid?.() === 0 && isReachable(BIN);
  const uid = asRoot ? job.template.spec.securityContext.runAsUser : undefined;
  if (asRoot) {
    // The test's own folders are private, and a pod sees nothing of them.
    for (const path of [dirname(folder), folder]) chmodSync(path, 0o711);
    for (const name of ["checkpoints", "scratch"]) chmodSync(volumes.get(name) ?? "", 0o777);
  }

  const run = (container: JobContainer, env: Readonly<Record<string, string>>) => {
    const paths = new Map(
      container.volumeMounts.map(({ name, mountPath }) => [mountPath, volumes.get(name) ?? ""]),
    );
    const cli = startCli(withPaths(container.args, paths), {
      cwd: withPaths([container.workingDir], paths)[0] ?? "",
      env: { TMPDIR: paths.get("/tmp") ?? "", ...env },
      ...(uid === undefined ? {} : { uid }),
    });
    const ended = cli.ended.then(({ code, stdout, stderr }) => ({ code, output: stdout + stderr }));
    return { stop: () => cli.kill("SIGTERM"), says: cli.says, ended };
  };
  return {
    shards: job.completions ?? 0,
    sharesCheckpoints: true,
    execute: (index) =>
      run(job.template.spec.containers[0], { JOB_COMPLETION_INDEX: String(index) }),
    report: () => run(jobOf("report-job.yaml").template.spec.containers[0], {}).ended,
    runsAgain: ({ code }) => rulesFor(code ?? 0)[0]?.action === "Count",
  };
}
