import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { MAX_SMALL_FILE_BYTES, readSmallText } from "../../src/cli/small-file.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();

describe("a small file", () => {
  it("is read whole, up to the very bound", () => {
    const file = path("core.yaml");
    writeFileSync(file, "ß".repeat(50_000));
    expect(readSmallText(file)).toEqual({ text: "ß".repeat(50_000) });
    expect(readSmallText(file, 100_000)).toEqual({ text: "ß".repeat(50_000) });
    expect(readSmallText(file, 99_999)).toHaveProperty("flaw");
  });

  it("may be a pipe, as a shell's <(…) is one", async () => {
    const pipe = path("pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", 'printf "port: 1\\n" > "$1"', "sh", pipe]);
    expect(readSmallText(pipe)).toEqual({ text: "port: 1\n" });
    await once(writer, "close");
  });

  it("without an end is given up", () => {
    expect(readSmallText("/dev/zero")).toEqual({
      flaw: `it is larger than ${MAX_SMALL_FILE_BYTES / 1024} KiB, so it must be another file`,
    });
  });

  it("that isn't there or is a folder is told as such", () => {
    const folder = path("folder");
    mkdirSync(folder);
    expect(readSmallText(folder)).toMatchObject({ flaw: "it is a folder" });
    const none = { flaw: "there is no such file" };
    expect(readSmallText(path("none.yaml"))).toMatchObject(none);
    writeFileSync(`${folder}/file`, "");
    expect(readSmallText(`${folder}/file/none.yaml`)).toMatchObject(none);
  });
});
