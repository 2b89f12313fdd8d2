import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  openSync,
  readSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import {
  ACCESS_LOG_BEGIN,
  AccessLog,
  type LogTarget,
  openLogTarget,
} from "../../src/cli/access-log.js";
import type { ServedCall } from "../../src/core/http/listener.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const CALL: ServedCall = { method: "GET", path: "/users", status: 200, elapsedMs: 1.26 };
const NOW = Date.UTC(2026, 2, 1, 12, 30);
const LINE =
  '{"time":"2026-03-01T12:30:00.000Z","method":"GET","path":"/users","status":200,"ms":1.3}\n';

/** A disk that is full as long as the test wants, and takes a piece of what it can't take whole. */
class FullDisk implements LogTarget {
  isFull = false;
  written = "";

  async write(text: string): Promise<void> {
    if (this.isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    this.written += text;
  }
  async reopen(): Promise<void> {
    throw Object.assign(new Error("no such folder"), { code: "ENOENT" });
  }
  async close(): Promise<void> {}
}

interface Opened {
  readonly log: AccessLog;
  readonly problems: readonly string[];
}

function open(target: LogTarget): Opened {
  const problems: string[] = [];
  const log = new AccessLog(
    target,
    (line) => problems.push(line),
    () => NOW,
  );
  return { log, problems };
}

describe("the access log", () => {
  it("is a file of its owner's alone with a line a call, in their order", async () => {
    const file = path("access.log");
    const { log, problems } = open(await openLogTarget(file, ACCESS_LOG_BEGIN));
    log.add(CALL);
    log.add({ ...CALL, status: 401 });
    await log.close();
    expect(readFileSync(file, "utf8")).toBe(LINE + LINE.replace("200", "401"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(problems).toEqual([]);
  });

  it("begins as every log does", () => {
    expect(LINE.startsWith(ACCESS_LOG_BEGIN)).toBe(true);
  });

  it("goes on where an earlier one ended", async () => {
    const file = path("access.log");
    for (let run = 0; run < 2; run += 1) {
      const { log } = open(await openLogTarget(file, ACCESS_LOG_BEGIN));
      log.add(CALL);
      await log.close();
    }
    expect(readFileSync(file, "utf8")).toBe(LINE + LINE);
  });

  it("writes without being closed", async () => {
    const disk = new FullDisk();
    const { log } = open(disk);
    log.add(CALL);
    await expect.poll(() => disk.written).toBe(LINE);
    await log.close();
  });

  it("begins a new file when the old one was moved away, and loses no call", async () => {
    const [file, old] = [path("access.log"), path("access.log.1")];
    const { log, problems } = open(await openLogTarget(file, ACCESS_LOG_BEGIN));
    log.add(CALL);
    renameSync(file, old);
    log.reopen();
    await expect.poll(() => existsSync(file)).toBe(true);
    log.add({ ...CALL, status: 404 });
    await log.close();
    expect(readFileSync(old, "utf8")).toBe(LINE);
    expect(readFileSync(file, "utf8")).toBe(LINE.replace("200", "404"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(problems).toEqual([]);
  });

  it("stays in the old file where there can be no new one, and says so", async () => {
    const disk = new FullDisk();
    const { log, problems } = open(disk);
    log.reopen();
    log.add(CALL);
    await log.close();
    expect(disk.written).toBe(LINE);
    expect(problems).toEqual([
      "The access log can't be opened anew (ENOENT); it goes on in the old file.",
    ]);
  });

  it("says once that it can't be written, goes on, and says how much is missing", async () => {
    const disk = new FullDisk();
    const { log, problems } = open(disk);
    disk.isFull = true;
    for (let call = 0; call < 3; call += 1) {
      log.add(CALL);
      log.reopen();
    }
    await expect.poll(() => problems.filter((line) => /ENOENT/.test(line))).toHaveLength(3);
    disk.isFull = false;
    log.add(CALL);
    await log.close();
    expect(disk.written).toBe(LINE);
    expect(problems.filter((line) => !/ENOENT/.test(line))).toEqual([
      "The access log can't be written (ENOSPC); the core goes on without it.",
      "The access log is written again; up to 3 calls are missing in it.",
    ]);
  });

  it("keeps a bounded number of lines for a target that takes none, and doesn't wait for it", async () => {
    const stuck: LogTarget = {
      write: () => new Promise(() => {}),
      reopen: async () => {},
      close: async () => {},
    };
    const { log, problems } = open(stuck);
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < 200_000; call += 1) log.add(CALL);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
    expect(problems).toEqual([
      "The access log can't be written (its target takes nothing); the core goes on without it.",
    ]);
    await log.close();
  });
});

describe("a log's file", () => {
  it.each([
    ["a hash configuration", "hash_config {\n"],
    ["somebody's notes", "bread\n"],
    ["an export", '{"users":[]}'],
  ])("is not taken where it is %s", async (_, content) => {
    const file = path("other.txt");
    writeFileSync(file, content);
    await expect(openLogTarget(file, ACCESS_LOG_BEGIN)).rejects.toMatchObject({
      code: "config_invalid",
    });
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("is taken where it is empty or no file that keeps anything", async () => {
    const file = path("access.log");
    writeFileSync(file, "");
    for (const name of [file, "/dev/null"]) {
      await (await openLogTarget(name, ACCESS_LOG_BEGIN)).close();
    }
  });

  it("that took a piece of a line goes on in a line of its own", async () => {
    const pipe = path("pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const target = await openLogTarget(pipe, ACCESS_LOG_BEGIN);
    // More than any pipe holds for a reader who isn't reading.
    const error = await target.write(LINE.repeat(20_000)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "EAGAIN" });
    const held = Buffer.alloc(2 * LINE.length * 20_000);
    const before = readSync(reader, held);
    await target.write(LINE.replace("200", "404"));
    const after = readSync(reader, held, before, held.length - before, null);
    await target.close();
    closeSync(reader);
    const text = held.toString("utf8", 0, before + after);
    expect(text.slice(0, before).endsWith("\n")).toBe(false);
    expect(text.slice(before)).toBe(`\n${LINE.replace("200", "404")}`);
  });

  it("without a reader makes no start, and doesn't wait for one", async () => {
    const pipe = path("pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(openLogTarget(pipe, ACCESS_LOG_BEGIN)).rejects.toMatchObject({
      message: expect.stringMatching(/ENXIO/),
    });
  });

  it("that can't be written makes no start", async () => {
    await expect(openLogTarget(path("no/access.log"), "")).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(/ENOENT/),
    });
  });
});
