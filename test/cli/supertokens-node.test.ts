import { expect } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { describeOfficialClient } from "./official-client.js";
import { HASH_CONFIG, IMPORT_DEMO, workFolders } from "./support.js";

const workFolder = workFolders();

describeOfficialClient(async () => {
  const folder = workFolder();
  const imported = await runCli([...IMPORT_DEMO, "--keep-ids"], { cwd: folder });
  expect(imported.code, imported.stderr).toBe(0);
  const core = await serveHere({ cwd: folder, args: ["--hash-config", HASH_CONFIG] });
  return { connectionURI: core.url, apiKey: core.apiKey, stop: () => core.stop() };
});
