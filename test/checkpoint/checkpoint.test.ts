import { NO_NOTICES_YET } from "../../src/plan/entry.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type Checkpoint,
  checkpointError,
  openCheckpoint,
  readBinding,
} from "../../src/checkpoint/checkpoint.js";
import { closeAfterFailure } from "../../src/errors/run-error.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { STATE } from "../../src/plan/states.js";
import { type Database, openDatabase } from "../../src/sqlite/database.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { at, bring, classifyOne, matchNext } from "../run/support/user-keys.js";
import { NO_CHECKPOINTS } from "./no-checkpoints.js";
import {
  BCRYPT,
  email,
  phone,
  planningContext,
  record,
  planAlone,
} from "../run/support/records.js";

const newPath = temporaryPaths();
const HOLDER = fileURLToPath(new URL("../run/support/hold-checkpoint.mjs", import.meta.url));
const REMOTE = { kind: "remote", url: "https://core.example.test" } as const;

/** A checkpoint path in a folder of its own. */
function newFolder(): { readonly folder: string; readonly path: string } {
  const folder = newPath("run");
  mkdirSync(folder);
  return { folder, path: join(folder, "auth-migrate.checkpoint") };
}

function openAsDatabase(path: string): Database {
  return openDatabase(path, CHECKPOINT_FILE);
}

/** Plans users as a run does and makes them durable. */
async function admitUsers(checkpoint: Checkpoint): Promise<void> {
  const context = planningContext(checkpoint.digester);
  const users = [
    record({
      sourceId: "r-1001",
      email: email("ada@example.com"),
      hash: { kind: "text", text: BCRYPT },
    }),
    record({ sourceId: "ben.keller@example.com", email: email("ben@example.com") }),
    record({ sourceId: "+1 (555) 010-0003", phone: phone("+15550100003") }),
    record({ sourceId: null, email: email("dora@example.com"), phone: phone("+15550100004") }),
  ].map((user, index) => planAlone(user, at(index + 1), context));
  const matches = users.map(({ keys }) => matchNext(checkpoint, keys));
  const intents = users.flatMap(({ keys }, index) => {
    const match = matches[index];
    if (match?.kind !== "entry") return [];
    const { entry } = match;
    const intent = { state: STATE.intent, sawNobody: true, coreId: null, code: null, parts: null };
    return [{ keys, entry, mapped: entry.mapped, notices: NO_NOTICES_YET, ...intent }];
  });
  expect(intents).toHaveLength(users.length);
  await checkpoint.ledger.writeIntents(intents);
}

function keysIn(path: string): string[] {
  const database = openAsDatabase(path);
  const identities = database.prepare<[Buffer]>("SELECT identity FROM users").all();
  const contacts = database
    .prepare<[Buffer]>(
      "SELECT email FROM users WHERE email NOT NULL UNION ALL SELECT phone FROM users WHERE phone NOT NULL",
    )
    .all();
  database.close();
  return [...identities, ...contacts].map(([key]) => key.toString("hex"));
}

describe("the checkpoint's file", () => {
  it("holds no readable contact, no hash and no id that looks like a contact", async () => {
    const { path } = newFolder();
    const checkpoint = openCheckpoint(path);
    await admitUsers(checkpoint);
    checkpoint.close();
    const bytes = readFileSync(path);
    expect(bytes.includes("r-1001")).toBe(true);
    const secrets = [
      "example.com",
      "ada@",
      "keller",
      "5550100",
      "010-000",
      BCRYPT,
      BCRYPT.slice(7, 29),
    ];
    for (const secret of secrets) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  it("gives the same users other keys than any other checkpoint", async () => {
    const paths = [newFolder().path, newFolder().path];
    for (const path of paths) {
      const checkpoint = openCheckpoint(path);
      await admitUsers(checkpoint);
      checkpoint.close();
    }
    const keys = paths.flatMap(keysIn);
    // Four identities and five contacts each; who has no id is known by a contact's key.
    expect(keys).toHaveLength(18);
    expect(new Set(keys).size).toBe(16);
  });

  it("gives the same users the same keys when it is opened again", () => {
    const { path } = newFolder();
    const key = (): string => {
      const checkpoint = openCheckpoint(path);
      checkpoint.close();
      return checkpoint.digester.id("csv", "", "r-1001");
    };
    expect(key()).toBe(key());
  });

  it("is for its owner alone", () => {
    const { folder, path } = newFolder();
    const checkpoint = openCheckpoint(path);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    checkpoint.close();
  });

  it("is whole at the end: only it and its empty lock remain", async () => {
    const { folder, path } = newFolder();
    const checkpoint = openCheckpoint(path);
    await admitUsers(checkpoint);
    checkpoint.close();
    const names = [basename(path), `${basename(path)}.lock`];
    expect(readdirSync(folder).sort()).toEqual(names);
    expect(statSync(`${path}.lock`).size).toBe(0);

    const copy = newPath("copy");
    copyFileSync(path, copy);
    expect(keysIn(copy)).toHaveLength(9);
  });
});

describe("a file that is no checkpoint", () => {
  it.each(NO_CHECKPOINTS)("is refused and left as it was: %s", (_what, write) => {
    const { folder, path } = newFolder();
    write(path);
    const previous = readFileSync(path);
    const refused = expect.objectContaining({ code: "checkpoint_invalid" });
    expect(() => openCheckpoint(path)).toThrow(refused);
    expect(() => readBinding(path)).toThrow(refused);
    expect(readFileSync(path).equals(previous)).toBe(true);
    expect(readdirSync(folder)).toEqual([basename(path)]);
  });

  it("is a disk error where the folder isn't there", () => {
    const path = join(newPath("nowhere"), "checkpoint");
    expect(() => openCheckpoint(path)).toThrow(expect.objectContaining({ code: "disk" }));
  });

  it("is a disk error behind a link that leads nowhere, where others could read it", () => {
    const { folder, path } = newFolder();
    symlinkSync(join(folder, "elsewhere"), path);
    expect(() => openCheckpoint(path)).toThrow(expect.objectContaining({ code: "disk" }));
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  it("says of what can't be opened that it may not be this user's to read", () => {
    const folder = newPath("folder.checkpoint");
    mkdirSync(folder);
    const hint = expect.stringContaining("this user may read and write it") as unknown;
    expect(() => openCheckpoint(folder)).toThrow(expect.objectContaining({ code: "disk", hint }));
  });
});

describe("a checkpoint that is damaged", () => {
  /** Page 1 holds what is read at the opening, the last one a user's entry or contact. */
  it.each([1, -1])("names the way out, and lets go of file and lock (page %s)", async (page) => {
    const { path } = newFolder();
    const first = openCheckpoint(path);
    for (let id = 1; id <= 200; id += 1) {
      await bring(first, { id: `${id}`, emails: [`reader.${id}@example.com`] }, STATE.imported);
    }
    first.close();
    const whole = readFileSync(path);
    const start = page < 0 ? whole.length - PAGE_BYTES : page * PAGE_BYTES;
    writeFileSync(path, Buffer.from(whole).fill(0xff, start, start + PAGE_BYTES));
    const damaged = expect.objectContaining({
      code: "checkpoint_invalid",
      hint: expect.stringContaining("--checkpoint FILE"),
    });
    expect(() => useAll(path)).toThrow(damaged);
    writeFileSync(path, whole);
    useAll(path);
  });

  const PAGE_BYTES = 8192;

  /** As a run does, which types what it is told of the file. */
  function useAll(path: string): void {
    const checkpoint = openCheckpoint(path);
    try {
      for (let id = 1; id <= 200; id += 1) {
        classifyOne(checkpoint, { id: `${id}`, emails: [`reader.${id}@example.com`] });
      }
    } catch (error) {
      throw checkpointError(error, path);
    } finally {
      closeAfterFailure(checkpoint);
    }
  }
});

describe("the checkpoint's lock", () => {
  const locked = expect.objectContaining({ code: "in_use" });

  it("keeps a second run of the same process out until the first ends", () => {
    const { path } = newFolder();
    const checkpoint = openCheckpoint(path);
    expect(() => openCheckpoint(path)).toThrow(locked);
    checkpoint.close();
    openCheckpoint(path).close();
  });

  it("keeps other processes out, and is free as soon as its process is killed", async () => {
    const { path } = newFolder();
    const child = spawn(process.execPath, [HOLDER, path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(() => openCheckpoint(path)).toThrow(locked);
    child.kill("SIGKILL");
    await once(child, "exit");
    openCheckpoint(path).close();
  });

  it("that is removed while a run goes on lets a second one in, which is told what it is", async () => {
    const { path } = newFolder();
    const first = openCheckpoint(path);
    rmSync(`${path}.lock`);
    const second = openCheckpoint(path);
    await admitUsers(first);
    const failure: unknown = await admitUsers(second).catch((error: unknown) => error);
    expect(checkpointError(failure, path)).toMatchObject({
      code: "in_use",
      message: expect.stringContaining("Another run writes"),
      hint: expect.stringContaining("lock file was removed"),
    });
    closeAfterFailure(second);
    first.close();
    expect(keysIn(path)).toHaveLength(9);
  });

  it("doesn't harm the run that holds it when somebody else tries", async () => {
    const { path } = newFolder();
    const checkpoint = openCheckpoint(path);
    expect(() => openCheckpoint(path)).toThrow(locked);
    await admitUsers(checkpoint);
    checkpoint.close();
    expect(keysIn(path)).toHaveLength(9);
  });
});

describe("the binding to a core", () => {
  it("is null until somebody is sent, and stays", async () => {
    const { path } = newFolder();
    const checkpoint = openCheckpoint(path);
    expect(checkpoint.binding()).toBeNull();
    checkpoint.bind(REMOTE);
    expect(checkpoint.binding()).toBeNull();
    await admitUsers(checkpoint);
    expect(checkpoint.binding()).toEqual(REMOTE);
    checkpoint.close();
    expect(readBinding(path)).toEqual(REMOTE);
  });

  it("stays while an earlier intent may be at the core, whatever came of the user since", async () => {
    const checkpoint = openCheckpoint(newFolder().path);
    checkpoint.bind(REMOTE);
    await bring(checkpoint, { id: "1" }, STATE.planned, { sawNobody: false });
    expect(checkpoint.binding()).toBeNull();
    await bring(checkpoint, { id: "2" }, STATE.planned, { sawNobody: true });
    expect(checkpoint.binding()).toEqual(REMOTE);
    checkpoint.close();
  });

  it("can be made anew", async () => {
    const checkpoint = openCheckpoint(newFolder().path);
    checkpoint.bind(REMOTE);
    await admitUsers(checkpoint);
    checkpoint.bind({ kind: "embedded", coreId: "core-1" });
    expect(checkpoint.binding()).toEqual({ kind: "embedded", coreId: "core-1" });
    checkpoint.close();
  });

  it("is read without creating or locking anything", async () => {
    const { folder, path } = newFolder();
    expect(readBinding(path)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    const checkpoint = openCheckpoint(path);
    checkpoint.bind(REMOTE);
    await admitUsers(checkpoint);
    expect(readBinding(path)).toEqual(REMOTE);
    checkpoint.close();
  });
});
