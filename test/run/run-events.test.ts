import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { importEvents, MOST_WAITING, validateEvents } from "../../src/run/event-stream.js";
import { openInputs } from "../../src/source/inputs.js";
import { reconcileEvents, reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, type Migration, newMigration, type Row } from "./support/run.js";

const newPath = temporaryPaths();

const ADA: Row = {
  id: "1",
  email: "ada@example.com",
  hash: KNOWN_HASHES.bcrypt.passwordHash,
};

/** Users who can't be migrated: a row each, and an event each. */
function nobodies(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: `nobody-${index}` }));
}

async function inputsOf(migration: Migration, rows: readonly Row[]) {
  return openInputs([migration.write("users.csv", csvOf(rows))]);
}

/** The core with its codes counted. */
function counted(core: Core & { readonly coreId: string }) {
  let asked = 0;
  const createCode: Core["createCode"] = (contact) => {
    asked += 1;
    return core.createCode(contact);
  };
  return { core: { ...core, createCode }, asked: () => asked };
}

describe("the events of an import", () => {
  it("are its rejects and findings, and at the end its summary", async () => {
    const migration = newMigration(newPath);
    const { core, checkpoint } = migration;
    const inputs = await inputsOf(migration, [ADA, { id: "2" }]);
    const types: string[] = [];
    for await (const event of importEvents({ inputs, core, checkpoint })) {
      types.push(event.type);
      if (event.type === "reject") expect(event).toMatchObject({ code: "no_contact" });
      if (event.type === "summary") {
        expect(event).toMatchObject({ command: "import", read: 2, imported: 1, rejected: 1 });
      }
    }
    expect(types.filter((type) => type !== "progress")).toEqual([
      "columns",
      "finding",
      "reject",
      "summary",
    ]);
  });

  it("throw the RunError that ended it, without a summary", async () => {
    const migration = newMigration(newPath);
    const { core, checkpoint } = migration;
    const inputs = await inputsOf(migration, [ADA]);
    await migration.run([migration.write("earlier.csv", csvOf([ADA]))]);
    const policy = { onExisting: "fail" } as const;
    const given = { inputs, core, checkpoint: `${checkpoint}.2`, policy };
    const types: string[] = [];
    const all = async (): Promise<void> => {
      for await (const { type } of importEvents(given)) {
        types.push(type);
      }
    };
    await expect(all()).rejects.toMatchObject({ name: "RunError", code: "user_exists" });
    expect(types).not.toContain("summary");
  });

  it("stop the run where the loop is left: it is saved, unlocked, and the next one goes on", async () => {
    const migration = newMigration(newPath);
    const { core, checkpoint } = migration;
    const rows = [...nobodies(8_000), ADA];
    let inputs = await inputsOf(migration, rows);
    const { signal } = new AbortController();
    for await (const event of importEvents({ inputs, core, checkpoint, signal })) {
      if (event.type === "reject") break;
    }
    expect(await migration.users()).toEqual([]);
    inputs = await inputsOf(migration, rows);
    let last: unknown;
    for await (const event of importEvents({ inputs, core, checkpoint })) last = event;
    expect(last).toMatchObject({ type: "summary", imported: 1, rejected: 8_000 });
  });

  it("end with the summary of what was done where the caller's signal stops it", async () => {
    const migration = newMigration(newPath);
    const { core, checkpoint } = migration;
    const inputs = await inputsOf(migration, [...nobodies(8_000), ADA]);
    const stop = new AbortController();
    let last: unknown;
    for await (const event of importEvents({ inputs, core, checkpoint, signal: stop.signal })) {
      if (event.type === "reject") stop.abort();
      last = event;
    }
    expect(last).toMatchObject({ type: "summary", interrupted: true });
  });

  it("hold the reading back while nobody takes them", async () => {
    const migration = newMigration(newPath);
    const { core, asked } = counted(migration.core);
    const { checkpoint } = migration;
    // Rejects first, more than may wait and be read beside them; then users whom the core is asked for.
    const people = Array.from({ length: 20 }, (_, index) => ({
      email: `person-${index}@example.com`,
    }));
    const inputs = await inputsOf(migration, [...nobodies(8 * MOST_WAITING), ...people]);
    const events = importEvents({ inputs, core, checkpoint, concurrency: 64 });
    let next = await events.next();
    while (!next.done && next.value.type !== "reject") next = await events.next();
    for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
    expect(asked()).toBe(0);
    let rejects = 1;
    for await (const { type } of events) if (type === "reject") rejects += 1;
    expect(rejects).toBe(8 * MOST_WAITING);
    expect(asked()).toBe(20);
  });
});

describe("the events of a dry run", () => {
  it("are its rejects, and at the end its summary", async () => {
    const migration = newMigration(newPath);
    const inputs = await inputsOf(migration, [ADA, { id: "2" }]);
    const types: string[] = [];
    for await (const event of validateEvents({ inputs })) {
      types.push(event.type);
      if (event.type === "summary") expect(event).toMatchObject({ command: "validate", read: 2 });
    }
    expect(types.at(-1)).toBe("summary");
    expect(types).toContain("reject");
  });
});

describe("the events of reconciling", () => {
  it("are its differences, and at the end its summary", async () => {
    const migration = newMigration(newPath);
    const { checkpoint } = migration;
    await migration.run([migration.write("users.csv", csvOf([ADA]))]);
    const core = { ...migration.core, getUser: async () => null };
    const events: unknown[] = [];
    for await (const event of reconcileEvents({ core, checkpoint })) events.push(event);
    expect(events).toEqual([
      expect.objectContaining({ type: "difference", code: "user_missing" }),
      expect.objectContaining({ type: "summary", command: "reconcile", agrees: false }),
    ]);
  });
});

describe("a run that is told to wait for room", () => {
  /** A door that is shut until it is opened. */
  function door() {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { room: () => opened, open: () => open() };
  }

  async function turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  }

  it("tells no reject of a dry run before there is", async () => {
    const { room, open } = door();
    const inputs = await inputsOf(newMigration(newPath), nobodies(3));
    let rejects = 0;
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === "reject") rejects += 1;
    };
    const running = validateUsers({ inputs, room, onEvent });
    await turns(200);
    expect(rejects).toBe(0);
    open();
    await running;
    expect(rejects).toBe(3);
  });

  it("asks the core for nobody else before there is", async () => {
    const { checkpoint, core, write, run } = newMigration(newPath);
    await run([write("users.csv", csvOf([ADA]))]);
    const { room, open } = door();
    let asked = 0;
    const getUser: Core["getUser"] = (id) => {
      asked += 1;
      return core.getUser(id);
    };
    const running = reconcileUsers({ core: { ...core, getUser }, checkpoint, room });
    await turns(200);
    expect(asked).toBe(0);
    open();
    expect(await running).toMatchObject({ asked: 1, agrees: true });
  });
});
