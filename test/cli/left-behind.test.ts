/** What a command leaves that can't begin: nothing. The next one finds the folder as the operator knows it. */

import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Target, withTarget } from "../../src/cli/core-target.js";
import { RunError } from "../../src/errors/run-error.js";
import { bcryptOf, csvUsers } from "../run/support/test-users.js";
import { oldHash } from "../bridge/support/migration.js";
import { startHttp } from "../support/canned-server.js";
import { runCli } from "../support/cli.js";
import { workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const KEY = "garnet-lantern-quay-0001";
const BRIDGE = "--on-unusable-hash bridge --vault users.vault --vault-key-file vault.key";

/** Each file by its name, with what is in it; a data file's log is no part of it. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "hex")]));
}

/** Exports, and what goes with them that isn't right; nothing was imported yet. */
function exported(): string {
  const cwd = newFolder();
  const rows = [1, 2].map((n) => ({
    id: `u-${n}`,
    email: `u.${n}@example.com`,
    hash: bcryptOf(`p${n}`),
  }));
  writeInto(cwd, "users.csv", csvUsers(rows));
  const old = { id: "o-1", email: "o.1@example.com", hash: oldHash("p3") };
  writeInto(cwd, "old.csv", csvUsers([...rows, old]));
  writeInto(cwd, "empty.csv", "id,email,password_hash\n");
  writeInto(cwd, "unclear.txt", "?\n!\n");
  writeInto(cwd, "right.csv", "u-1,p1\n");
  writeInto(cwd, "wrong.csv", "u-1,another\n");
  writeInto(cwd, "nobody.csv", "u-9,another\n");
  writeInto(cwd, "bad.yaml", "api_keys: [\n");
  writeInto(cwd, "short.key", "quay\n");
  return cwd;
}

/** Commands that can't begin, for each command. The port is one that is taken, the core one that nobody answers for. */
const FAIL: Readonly<Record<string, readonly string[]>> = {
  serve: [
    "serve --port PORT",
    "serve --host 256.1.1.1 --port 0",
    "serve --host 0.0.0.0 --port 0 --api-key-file short.key",
    "serve --port 0 --core-config bad.yaml",
    "serve --port 0 --hash-config none.txt",
    "serve --port 0 --data none/core.db",
  ],
  import: [
    "import none.csv",
    "import unclear.txt",
    "import empty.csv",
    "import users.csv --mapping none.yaml",
    "import users.csv --hash-config none.txt",
    "import users.csv --prove none.csv",
    "import users.csv --prove wrong.csv",
    "import users.csv --prove nobody.csv",
    "import users.csv --require-proof",
    "import users.csv --rejects-out none/rejects.csv",
    "import users.csv --checkpoint none/c.checkpoint",
    "import users.csv --checkpoint old.csv",
    "import users.csv --data none/core.db",
    "import users.csv --data old.csv",
    "import users.csv --core CORE",
    `import old.csv ${BRIDGE}`,
    "import old.csv --on-unusable-hash bridge",
    "import users.csv --core-config bad.yaml",
    `import old.csv --core CORE ${BRIDGE}`,
  ],
  validate: [
    "validate none.csv",
    "validate users.csv --core CORE",
    "validate users.csv --prove wrong.csv",
    "validate empty.csv",
  ],
  prove: [
    "prove users.csv --passwords none.csv",
    "prove users.csv --passwords wrong.csv --data core.db",
    "prove users.csv --passwords nobody.csv --data core.db",
    "prove users.csv --passwords wrong.csv --core CORE",
    "prove users.csv --passwords right.csv --core CORE",
    "prove users.csv --passwords right.csv --data core.db --checkpoint none/c.checkpoint",
    "prove users.csv",
  ],
  split: [
    "split none.csv --shards 2",
    "split users.csv --shards 2 --out-dir old.csv",
    "split empty.csv --shards 2",
  ],
  setup: [
    "setup users.csv --no-input",
    "setup users.csv --core CORE --skip-proof --no-input",
    "setup users.csv --data none/core.db --skip-proof --no-input",
    "setup users.csv --data core.db --prove wrong.csv --no-input",
    "setup unclear.txt --data core.db --skip-proof --no-input",
    "setup users.csv --data core.db --skip-proof --no-input --config old.csv",
  ],
  reconcile: ["reconcile", "reconcile --core CORE", "reconcile --data core.db"],
  status: ["status"],
  report: ["report", "report --format html --output report.html"],
  undo: ["undo --yes", "undo --yes --core CORE"],
  cutover: ["cutover", "cutover --yes"],
  doctor: ["doctor --core CORE", "doctor --data core.db"],
  bridge: [
    "bridge --vault users.vault --vault-key-file vault.key",
    "bridge --new-key old.csv",
    "bridge --status --vault users.vault",
    "bridge purge --vault users.vault --yes",
  ],
  hash: ["hash none.csv"],
  "check-source": ["check-source none.yaml users.csv", "check-source bad.yaml users.csv"],
};

describe.each(Object.entries(FAIL))(
  "%s that can't begin leaves the folder as it was:",
  (_verb, commands) => {
    it.each(commands)("%s", async (command) => {
      const cwd = exported();
      const before = contentsOf(cwd);
      const taken = await startHttp((_request, response) => void response.end());
      onTestFinished(() => taken.close());
      const words = command
        .replace("PORT", new URL(taken.url).port)
        .replace("CORE", "http://127.0.0.1:1");
      const env = { AUTH_MIGRATE_API_KEY: command.includes("--api-key-file") ? "" : KEY };
      const { code, stderr } = await runCli(words.split(" "), { cwd, env, isHurried: true });
      expect(code, stderr).not.toBe(0);
      expect(contentsOf(cwd)).toEqual(before);
    });
  },
);

it("a command takes back the vault that it has made, and none that another run fills meanwhile", async () => {
  const key = Buffer.alloc(32, 7).toString("base64");
  const isLeftOf = async (rows: string): Promise<boolean> => {
    const cwd = exported();
    writeInto(cwd, "vault.key", key);
    const other = await runCli(["import", rows, ...BRIDGE.split(" "), "--yes"], { cwd });
    expect(other.code, other.stderr).toBe(0);
    const vault = join(cwd, "meanwhile.vault");
    const target = { core: { close: async () => {} } } as Target;
    const failing = withTarget({ checkpoint: join(cwd, "c"), vault }, target, async () => {
      copyFileSync(join(cwd, "users.vault"), vault);
      throw new RunError("outage", "The core is away.", { hint: "Start it." });
    });
    await expect(failing).rejects.toThrow("The core is away.");
    return existsSync(vault);
  };
  expect([await isLeftOf("users.csv"), await isLeftOf("old.csv")]).toEqual([false, true]);
});
