/** Executes the Slurm array: the script with the variables of a task, in the shared working directory. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, runCli } from "../../support/cli.js";
import { pageText } from "../../docs/support/blocks.js";
import { type Engine, makeFolder, type Place, RATE_TOTAL } from "./engine.js";
import { deployText } from "./files.js";
import { startTask } from "./sbatch.js";

/** Opens a cluster whose tasks the script itself has queued again. */
export function openSlurm({ folder, core, users }: Place): Engine {
  const work = makeFolder(join(folder, "work"));
  const input = join(makeFolder(join(folder, "shared"), { "users.csv": users }), "users.csv");
  const key = join(makeFolder(join(folder, "home"), { "api-key": core.apiKey }), "api-key");
  const program = join(folder, "auth-migrate");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
  const [, last = ""] =
    /^#SBATCH --array=1-(\d+)$/m.exec(deployText("slurm/auth-migrate.sbatch")) ?? [];
  return {
    shards: Number(last),
    sharesCheckpoints: true,
    execute(index) {
      const task = startTask({
        folder: work,
        task: index + 1,
        program,
        env: { EXPORT: input, CORE: core.url, API_KEY_FILE: key, RATE_TOTAL: String(RATE_TOTAL) },
      });
      // As two minutes before the time limit.
      return { stop: () => task.signal("SIGUSR1"), says: task.says, ended: task.ended };
    },
    async report() {
      const [, command = ""] =
        /--wrap 'auth-migrate ([^']+)'/.exec(pageText("docs/deploy/slurm.md")) ?? [];
      const { code, stdout, stderr } = await runCli(command.split(" "), { cwd: work });
      return { code, output: stdout + stderr };
    },
    runsAgain: ({ code }) => code === 75,
  };
}
