import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCrowd } from "../recovery/crowd.js";
import { runCli, serveHere } from "../support/cli.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
/** Of 6 and of 80 KB. */
const [FEW, MANY] = [80, 1000];

/** How many threads an import starts. */
async function threadsOf(users: number, core: readonly string[], env = {}): Promise<number> {
  const cwd = workFolder();
  writeCrowd(join(cwd, "users.csv"), users);
  let threads = 0;
  const count = (): void => {
    threads += 1;
  };
  process.on("worker", count);
  const args = ["import", "users.csv", "--accept-rejects", "100%", ...core];
  const { code, stderr } = await runCli(args, { cwd, env });
  process.off("worker", count);
  expect(code, stderr).toBe(0);
  return threads;
}

describe("an import", () => {
  it("of few users into the embedded core starts no thread, and of many one", async () => {
    expect(await threadsOf(FEW, [])).toBe(0);
    expect(await threadsOf(MANY, [])).toBe(1);
  });

  it("of few users into a remote core starts none either", async () => {
    const core = await serveHere({ cwd: workFolder() });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    expect(await threadsOf(FEW, ["--core", core.url], env)).toBe(0);
    await core.stop();
  });
});
