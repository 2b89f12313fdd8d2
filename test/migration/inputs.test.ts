import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openInputs, sourceNames, totalBytes } from "../../src/migration/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration } from "./support/run.js";

const newPath = temporaryPaths();

describe("the inputs of a run", () => {
  const users = [{ localId: "a", email: "ada@example.com" }];

  it("are recognized each on its own, in the order given", async () => {
    const { write } = newMigration(newPath);
    const csv = write("users.csv", csvOf([{ id: "1", email: "ben@example.com" }]));
    const json = write("users.json", JSON.stringify({ users }));
    const inputs = await openInputs([json, csv]);
    expect(inputs.map(({ path, source }) => [path, source.name])).toEqual([
      [json, "firebase"],
      [csv, "csv"],
    ]);
    expect(sourceNames([...inputs, ...inputs])).toBe("firebase,csv");
    expect(totalBytes(inputs)).toBeGreaterThan(70);
  });

  it("are all read by the source that the operator names", async () => {
    const { write } = newMigration(newPath);
    const file = write("users.csv", csvOf([{ id: "1", email: "ben@example.com" }]));
    const [input] = await openInputs([file], { from: "firebase" });
    expect(input).toMatchObject({ source: { name: "firebase" }, reason: "named by --from" });
  });

  it("are read by their shape where the operator names a vendor without a reader of its own", async () => {
    const { write } = newMigration(newPath);
    const file = write("users.csv", csvOf([{ id: "1", email: "ben@example.com" }]));
    const [input] = await openInputs([file], { from: "meteor" });
    expect(input).toMatchObject({ source: { name: "csv" }, vendor: "meteor" });
    expect((await openInputs([file]))[0]).toMatchObject({ vendor: "csv" });
  });

  it("can be read again where they are regular files, and once where they are pipes", async () => {
    const { write } = newMigration(newPath);
    const text = csvOf([{ id: "1", email: "ben@example.com" }]);
    const file = write("users.csv", text);
    const pipe = newPath("users.pipe");
    execFileSync("mkfifo", [pipe]);
    const [inputs] = await Promise.all([openInputs([file, pipe]), writeFile(pipe, text)]);
    expect(inputs.map(({ readOnce }) => readOnce)).toEqual([false, true]);
  });

  it("need a source that is known; the hint lists them", async () => {
    await expect(openInputs([], { from: "oktopus" })).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringMatching(/firebase.*csv/),
    });
  });

  it.each([
    ["input_missing", null],
    ["input_empty", ""],
    ["input_unrecognized", "Dear diary,\n"],
  ])("end the run before it begins: %s", async (code, text) => {
    const { write } = newMigration(newPath);
    const file = text === null ? newPath("nowhere.csv") : write("users.csv", text);
    await expect(openInputs([file])).rejects.toMatchObject({ code });
  });
});
