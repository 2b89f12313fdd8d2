import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { workFolders } from "../cli/support.js";
import { deployText } from "../deploy/support/files.js";
import { runTask, startTask } from "../deploy/support/sbatch.js";

const newFolder = workFolders();
const CODES = Object.keys(EXIT_CODES).map(Number);
/** What is run again; 137 is a kill. */
const AGAIN = [75, 129, 130, 137, 143];

/** A program that stands where ours does: the script knows it by its exit code and its signals. */
function programIn(folder: string, script: string): string {
  const path = join(folder, "program");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** Says that it runs, and ends with `code` at SIGTERM. */
const untilTerm = (code: number) => `trap 'kill -9 $!; exit ${code}' TERM
sleep 600 >/dev/null 2>&1 &
echo running
wait`;

describe("the Slurm script", () => {
  it.each(CODES.filter((code) => !AGAIN.includes(code)))(
    "ends as the program does with %i, and not again",
    async (code) => {
      const folder = newFolder();
      const program = programIn(folder, `exit ${code}`);
      const ended = await runTask({ folder, task: 3, program });
      expect(ended).toMatchObject({ code, requeued: [] });
    },
  );

  it.each(AGAIN)("asks Slurm to queue its task again after %i", async (code) => {
    const folder = newFolder();
    const program = programIn(folder, `exit ${code}`);
    const ended = await runTask({ folder, task: 3, program });
    expect(ended).toMatchObject({ code: 75, requeued: ["1003"] });
  });

  it.each(["75", "70,75", "70-80", "1,74-76,90"])(
    "leaves that to a cluster that has RequeueExit=%s",
    async (requeueExit) => {
      for (const code of AGAIN) {
        const folder = newFolder();
        const program = programIn(folder, `exit ${code}`);
        const ended = await runTask({ folder, task: 3, program, requeueExit });
        expect(ended).toMatchObject({ code: 75, requeued: [] });
      }
    },
  );

  it.each(["NONE", "(null)", "74", "76-80", "175"])(
    "does it itself where RequeueExit=%s",
    async (requeueExit) => {
      const folder = newFolder();
      const ended = await runTask({
        folder,
        task: 3,
        program: programIn(folder, "exit 75"),
        requeueExit,
      });
      expect(ended.requeued).toEqual(["1003"]);
    },
  );

  it("gives up after as many times as it may, and says so", async () => {
    const folder = newFolder();
    const ended = await runTask({
      folder,
      task: 3,
      program: programIn(folder, "exit 75"),
      env: { SLURM_RESTART_COUNT: "4", MOST_RESTARTS: "4" },
    });
    expect(ended).toMatchObject({ code: 75, requeued: [] });
    expect(ended.output).toContain("--array=3");
  });

  it.each([75, 143])("has the program stop at the time limit, and goes on (%i)", async (code) => {
    const folder = newFolder();
    const task = startTask({ folder, task: 2, program: programIn(folder, untilTerm(code)) });
    await task.says("running");
    task.signal("SIGUSR1");
    expect(await task.ended).toMatchObject({ code: 75, requeued: ["1002"] });
  });

  it("is sent that signal before the limit, since it asks for it", () => {
    expect(deployText("slurm/auth-migrate.sbatch")).toMatch(/^#SBATCH --signal=B:USR1@120$/m);
  });

  it.each([75, 143])("has the program stop when it is canceled, and ends (%i)", async (code) => {
    const folder = newFolder();
    const task = startTask({ folder, task: 2, program: programIn(folder, untilTerm(code)) });
    await task.says("running");
    task.signal("SIGTERM");
    expect(await task.ended).toMatchObject({ code: 143, requeued: [] });
  });

  it("keeps the exit code of a program that ends well though it was signaled", async () => {
    const folder = newFolder();
    const task = startTask({ folder, task: 2, program: programIn(folder, untilTerm(0)) });
    await task.says("running");
    task.signal("SIGUSR1");
    expect(await task.ended).toMatchObject({ code: 0, requeued: [] });
  });

  it("imports the part of its task, also where that is run alone", async () => {
    const folder = newFolder();
    const program = programIn(folder, 'echo "$@"');
    const alone = { SLURM_ARRAY_TASK_MIN: "5", SLURM_ARRAY_TASK_COUNT: "1" };
    const { code, output } = await runTask({ folder, task: 5, program, env: alone });
    expect(code, output).toBe(0);
    expect(output).toMatch(/^import parts\/part-5 --core https:/);
  });
});
