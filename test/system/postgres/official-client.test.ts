/** SuperTokens' own client against two processes on one database, which it calls in turn. */

import { expect } from "vitest";
import { describeOfficialClient } from "../../cli/official-client.js";
import { HASH_CONFIG, IMPORT_DEMO, workFolders } from "../../cli/support.js";
import { runCli, startServe } from "../../support/cli.js";
import { postgresServer } from "../support/postgres.js";

const workFolder = workFolders();
const server = postgresServer();

describeOfficialClient(async () => {
  const cwd = workFolder();
  const { url, env } = await server.database();
  const place = ["--data", url];
  const imported = await runCli([...IMPORT_DEMO, "--keep-ids", ...place], { cwd, env });
  expect(imported.code, imported.stderr).toBe(0);
  const serve = () => startServe({ cwd, env, args: [...place, "--hash-config", HASH_CONFIG] });
  const both = await Promise.all([serve(), serve()]);
  const [{ apiKey }] = both;
  return {
    connectionURI: both.map((core) => core.url).join(";"),
    apiKey,
    stop: () => Promise.all(both.map((core) => core.stop())),
  };
});
