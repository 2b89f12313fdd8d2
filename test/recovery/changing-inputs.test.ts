import {
  appendFileSync,
  chmodSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { type Migration, newMigration } from "../run/support/run.js";
import { runClean, usersIn } from "../support/oracle.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { writeCrowd } from "./crowd.js";
import { tried } from "../support/repeated.js";

const newPath = temporaryPaths();
/** More than is read ahead of the calls. */
const USERS = 1600;
const EXPORTED_AT = 1_700_000_000;
const CHANGED = { code: "input_changed", message: expect.stringMatching(/users\.csv has changed/) };

interface Prepared {
  readonly migration: Migration;
  readonly file: string;
}

function prepare(): Prepared {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", "");
  writeCrowd(file, USERS);
  utimesSync(file, EXPORTED_AT, EXPORTED_AT);
  return { migration, file };
}

/** Does something to the file while the first user is on their way. */
function atFirstCall(core: Core, act: () => void): Core {
  let waiting = true;
  return {
    ...core,
    importUser(request) {
      if (waiting) act();
      waiting = false;
      return core.importUser(request);
    },
  };
}

/** The same inputs; something happens to one while it is read. */
function changingInputs(inputs: readonly Input[], act: () => void): readonly Input[] {
  return inputs.map((input) => ({
    ...input,
    async *read(run) {
      let waiting = true;
      for await (const items of input.read(run)) {
        yield items;
        if (waiting) act();
        waiting = false;
      }
    },
  }));
}

const replacement = (file: string): void => {
  writeFileSync(`${file}.new`, readFileSync(file));
  utimesSync(`${file}.new`, 0, 0);
  renameSync(`${file}.new`, file);
};

/** As `rsync --inplace -t` and `cp -p` write: neither size nor time tell. */
const rewriting = (file: string): void => {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/@example\.com(?=[^@]*$)/, "@example.org"));
  utimesSync(file, EXPORTED_AT, EXPORTED_AT);
};

const CHANGES = [
  ["is written anew in place, its time put back,", rewriting],
  ["is replaced", replacement],
  ["grows", (file) => appendFileSync(file, "late,late@example.com,,,false\n")],
  ["is cut off", (file) => truncateSync(file, 50_000)],
] as const satisfies readonly (readonly [string, (file: string) => void])[];

describe("an export that changes under an import", () => {
  it.each(CHANGES)(
    "and %s between the census and the first call: nobody is sent from it",
    async (_how, change) => {
      const { migration, file } = prepare();
      const beforeBulk = async () => {
        change(file);
        return { fitted: [] };
      };
      await expect(migration.run([file], { beforeBulk })).rejects.toMatchObject(CHANGED);
      expect(await migration.core.countUsers()).toBe(0);
    },
  );

  it.each(CHANGES)("and %s while it is read: nobody is sent from it", async (_how, change) => {
    const { migration, file } = prepare();
    const inputs = changingInputs(await openInputs([file]), () => change(file));
    await expect(migration.run([file], { inputs })).rejects.toMatchObject(CHANGED);
    expect(await migration.core.countUsers()).toBe(0);
  });

  it.each(tried(CHANGES.slice(1), 2))(
    "and %s while its users are sent: all of it as it was read are, and the next run has everybody of the file as it is then",
    async (_how, change) => {
      const { migration, file } = prepare();
      const { target } = migration.core;
      const sent = (): Set<string> => new Set(usersIn("file" in target ? target.file : ""));
      const before = await runClean([file]);
      const core = atFirstCall(migration.core, () => change(file));
      const { summary } = await migration.run([file], { core, concurrency: 64 });
      expect(summary).toMatchObject({ read: USERS, pending: 0, failed: 0 });
      expect(sent()).toEqual(new Set(before.users));
      const next = await migration.run([file]);
      expect(next.summary).toMatchObject({ pending: 0, failed: 0, existed: 0 });
      const after = await runClean([file]);
      const users = sent();
      // Whoever was sent before the file lost them stays.
      expect(after.users.filter((user) => !users.has(user))).toEqual([]);
    },
  );

  it("sends no last row that is half written, however whole it looks", async () => {
    const { migration, file } = prepare();
    appendFileSync(file, "late,late.reader@example.co");
    const inputs = changingInputs(await openInputs([file]), () =>
      appendFileSync(file, "m,,,false\n"),
    );
    await expect(migration.run([file], { inputs })).rejects.toMatchObject({
      code: "input_changed",
    });
    expect(await migration.core.findUsers({ email: "late.reader@example.co" })).toEqual([]);
    await migration.run([file]);
    expect(await migration.core.findUsers({ email: "late.reader@example.com" })).toHaveLength(1);
  });

  it("and gets other rights or another name: nothing of it has changed", async () => {
    const { migration, file } = prepare();
    const core = atFirstCall(migration.core, () => {
      chmodSync(file, 0o640);
      linkSync(file, `${file}.kept`);
    });
    const { summary } = await migration.run([file], { core, concurrency: 64 });
    expect(summary).toMatchObject({ read: USERS, pending: 0, failed: 0 });
  });

  it("and is moved away: what is open is read to its end", async () => {
    const { migration, file } = prepare();
    const core = atFirstCall(migration.core, () => renameSync(file, `${file}.moved`));
    const { summary } = await migration.run([file], { core, concurrency: 64 });
    expect(summary).toMatchObject({ read: USERS, pending: 0, failed: 0 });
  });

  it("and is deleted: what is open is read to its end", async () => {
    const { migration, file } = prepare();
    const core = atFirstCall(migration.core, () => rmSync(file));
    const { summary } = await migration.run([file], { core, concurrency: 64 });
    expect(summary).toMatchObject({ read: USERS, pending: 0, failed: 0 });
  });

  it("stops a dry run as well", async () => {
    const { migration, file } = prepare();
    const inputs = await openInputs([file]);
    appendFileSync(file, "late,late@example.com,,,false\n");
    const options = await migration.options([file]);
    await expect(validateUsers({ ...options, inputs })).rejects.toMatchObject({
      code: "input_changed",
    });
  });
});
