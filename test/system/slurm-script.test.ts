import { expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { workFolders } from "../cli/support.js";
import { deployText } from "../deploy/support/files.js";
import { programIn, runTask } from "../deploy/support/engine.js";

const newFolder = workFolders();
const CODES = Object.keys(EXIT_CODES).map(Number);
/** What is run again; 137 is a kill. */
const AGAIN = [75, 129, 130, 137, 143];
const FINAL = CODES.filter((code) => !AGAIN.includes(code));

/** A program that stands where ours does: the script knows it by its exit code and its signals. */
async function endOf(script: string, given: { readonly requeueExit?: string } = {}, env = {}) {
  const folder = newFolder();
  const program = programIn(folder, "program", script);
  return runTask({ folder, task: 3, program, env, ...given });
}

/** Signals the script until that has it stop, and ends with `code` then. */
const signaling = (signal: string, code: number): string =>
  `trap 'exit ${code}' TERM
while :; do kill -${signal} $PPID; sleep 0.05; done`;

it.each(FINAL)("the Slurm script ends as the program does with %i, and not again", async (code) => {
  expect(await endOf(`exit ${code}`)).toMatchObject({ code, requeued: [] });
});

it.each(AGAIN)("it asks Slurm to queue its task again after %i", async (code) => {
  expect(await endOf(`exit ${code}`)).toMatchObject({ code: 75, requeued: ["1003"] });
});

it.each(["75", "70,75", "70-80", "1,74-76,90"])(
  "it leaves that to a cluster that has RequeueExit=%s",
  async (requeueExit) => {
    for (const code of AGAIN) {
      const ended = await endOf(`exit ${code}`, { requeueExit });
      expect(ended).toMatchObject({ code: 75, requeued: [] });
    }
  },
);

it.each(["NONE", "(null)", "74", "76-80", "175"])(
  "it does that itself where RequeueExit=%s",
  async (requeueExit) => {
    expect(await endOf("exit 75", { requeueExit })).toMatchObject({ requeued: ["1003"] });
  },
);

it("it gives up after as many times as it may, and says so", async () => {
  const ended = await endOf("exit 75", {}, { SLURM_RESTART_COUNT: "4", MOST_RESTARTS: "4" });
  expect(ended).toMatchObject({ code: 75, requeued: [] });
  expect(ended.output).toContain("--array=3");
});

it.each([
  ["at the time limit, and goes on", "USR1", 75, { code: 75, requeued: ["1003"] }],
  ["at the time limit, and goes on", "USR1", 143, { code: 75, requeued: ["1003"] }],
  ["and keeps the exit code of one that ends well", "USR1", 0, { code: 0, requeued: [] }],
  ["when it is canceled, and ends", "TERM", 75, { code: 143, requeued: [] }],
  ["when it is canceled, and ends", "TERM", 143, { code: 143, requeued: [] }],
])("it has the program stop %s (%s, %i)", async (_when, signal, code, expected) => {
  expect(await endOf(signaling(signal, code))).toMatchObject(expected);
});

it("it is sent that signal before the limit, since it asks for it", () => {
  expect(deployText("slurm/auth-migrate.sbatch")).toMatch(/^#SBATCH --signal=B:USR1@120$/m);
});

it("it imports the part of its task, also where that is run alone", async () => {
  const alone = { SLURM_ARRAY_TASK_MIN: "3", SLURM_ARRAY_TASK_COUNT: "1" };
  const { code, output } = await endOf('echo "$@"', {}, alone);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^import parts\/part-3 --core https:/);
});
