import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const CODE_CACHE = fileURLToPath(new URL("../../dist/program/code-cache.js", import.meta.url));

/** Runs the file as the program does, keeps its code where that is asked for, and tells whether V8 refused code that it was given. */
const PROGRAM = `
  const { codePath, compiled, digestOf, runCompiled } = require(${JSON.stringify(CODE_CACHE)});
  const [, path, keep] = process.argv;
  const module = { exports: {} };
  runCompiled(path, module);
  const [script] = compiled.values();
  if (keep === "keep") {
    const code = script.createCachedData();
    const { readFileSync, writeFileSync } = require("node:fs");
    const digest = digestOf(readFileSync(path), code);
    writeFileSync(codePath(path), Buffer.concat([digest, code]));
  }
  const isRefused = script.cachedDataRejected ?? "no code";
  console.log(JSON.stringify({ name: module.exports.name(), isRefused }));`;

describe("a file that is run from its code", () => {
  let folder = "";
  let path = "";
  const write = (name: string) =>
    writeFileSync(path, `exports.name = () => ${JSON.stringify(name)};`);
  const run = (flags: readonly string[] = [], ...more: readonly string[]): unknown =>
    JSON.parse(
      execFileSync(process.execPath, [...flags, "--eval", PROGRAM, path, ...more], {
        env: { PATH: process.env.PATH },
        encoding: "utf8",
      }),
    );

  beforeEach(() => {
    folder = newPath("program");
    mkdirSync(folder);
    path = join(folder, "names.js");
    write("Ann");
    expect(run([], "keep")).toEqual({ name: "Ann", isRefused: "no code" });
  });

  it("is compiled once, in the run that keeps it", () => {
    expect(run()).toEqual({ name: "Ann", isRefused: false });
  });

  it("is compiled anew when it has changed, be it as long as before", () => {
    write("Bob");
    expect(run()).toEqual({ name: "Bob", isRefused: "no code" });
  });

  it("is compiled anew where its code is damaged or cut off", () => {
    const code = join(folder, readdirSync(folder).find((name) => name.endsWith(".code")) ?? "");
    const bytes = readFileSync(code);
    writeFileSync(code, bytes.subarray(0, -8));
    expect(run()).toEqual({ name: "Ann", isRefused: "no code" });
    bytes[bytes.length - 1] = ~(bytes.at(-1) ?? 0) & 0xff;
    writeFileSync(code, bytes);
    expect(run()).toEqual({ name: "Ann", isRefused: "no code" });
    writeFileSync(code, "");
    expect(run()).toEqual({ name: "Ann", isRefused: "no code" });
  });

  it("is compiled anew where V8 was given other flags", () => {
    expect(run(["--no-opt"])).toEqual({ name: "Ann", isRefused: true });
  });
});
