import { writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type Input,
  openInputs,
  type ReadRun,
  sourceNames,
  totalBytes,
} from "../../src/source/inputs.js";
import { defineSource } from "../../src/source/own-source.js";
import type { SourceItem } from "../../src/source/source.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration } from "../run/support/run.js";

const newPath = temporaryPaths();

async function itemsOf(input: Input | undefined, run: ReadRun = {}) {
  const items: SourceItem[] = [];
  for await (const batch of input?.read(run) ?? []) items.push(...batch);
  return items;
}

async function idsOf(input: Input | undefined): Promise<unknown[]> {
  const items = await itemsOf(input);
  return items.map((item) => (item.kind === "record" ? item.record.sourceId : item.kind));
}

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

  it("are users out of a program among files, read once, each as its JSON", async () => {
    const { write } = newMigration(newPath);
    const csv = write("users.csv", csvOf([{ id: "1", email: "ben@example.com" }]));
    async function* rows() {
      yield {
        id: 2n,
        email: "cleo@example.com",
        created_at: new Date("2020-01-02"),
        nickname: undefined,
      };
      yield { id: "3", email: "dan@example.com" };
    }
    const inputs = await openInputs([csv, { name: "app.users", users: rows() }]);
    expect(inputs.map(({ path, readOnce }) => [path, readOnce])).toEqual([
      [csv, false],
      ["app.users", true],
    ]);
    const [, program] = inputs;
    expect(await itemsOf(program, { keepsAccount: "all" })).toEqual([
      expect.objectContaining({
        number: 1,
        record: expect.objectContaining({ sourceId: "2", notices: ["joined_not_migrated"] }),
      }),
      expect.objectContaining({ record: expect.objectContaining({ sourceId: "3" }) }),
    ]);
    await expect(idsOf(program)).rejects.toMatchObject({ code: "input_unreadable" });
    await expect(openInputs([{ name: "app.users", users: [] }])).rejects.toMatchObject({
      code: "no_users",
    });
  });

  it("are read by a source or a mapping that is an object of the program's", async () => {
    const given = () => ({
      name: "members",
      users: [{ nr: "7", post: "eve@example.com", pw: "", state: "gone" }],
    });
    const recognize = [["nr", "post"]];
    const source = defineSource({
      name: "acme",
      title: "Acme",
      recognize,
      fields: {
        pages: [],
        read: { id: "nr", contact: "post", hash: "pw", flag: "state" },
        meaningless: {},
      },
      user: ({ nr, post, state }) => ({
        id: String(nr),
        email: String(post),
        keptOut: state === "gone" ? ["disabled"] : [],
      }),
    });
    const mapping = {
      name: "acme",
      title: "Acme",
      recognize,
      id: "nr",
      email: "post",
      hash: "pw",
      flags: { state: { values: { gone: "disabled", here: "in" } } },
    };
    for (const options of [{ from: source }, { mapping }]) {
      const [input] = await openInputs([given()], options);
      const [item] = await itemsOf(input);
      expect(item).toMatchObject({
        record: { sourceId: "7", email: { value: "eve@example.com" }, exclusions: ["disabled"] },
      });
    }
    const untitled = { ...source, title: "" };
    await expect(openInputs([given()], { from: untitled })).rejects.toMatchObject({
      code: "mapping_invalid",
      message: expect.stringContaining("title"),
    });
  });

  it("are all files of a folder that is named, however deep, but for the operating system's own", async () => {
    const folder = newPath("export");
    await mkdir(join(folder, "more"), { recursive: true });
    const user = (id: string) => csvOf([{ id, email: `${id}@example.com` }]);
    for (const [path, id] of [
      ["users-1.csv", "b"],
      ["users-0.csv", "a"],
      ["more/users.csv", "c"],
      [".DS_Store", "d"],
    ] as const) {
      await writeFile(join(folder, path), user(id));
    }
    const single = newPath("users.csv");
    await writeFile(single, user("e"));
    const inputs = await openInputs([single, folder]);
    const paths = ["more/users.csv", "users-0.csv", "users-1.csv"].map((one) => join(folder, one));
    expect(inputs.map(({ path }) => path)).toEqual([single, ...paths]);
    expect(await Promise.all(inputs.map(idsOf))).toEqual([["e"], ["c"], ["a"], ["b"]]);
    await writeFile(join(folder, "README.md"), "The export of today");
    await expect(openInputs([folder])).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining(join(folder, "README.md")),
    });
  });

  it.each([
    ["firebase", (ids: string) => `{"users":[{"localId":"${ids}","email":"${ids}@example.com"}]}`],
    ["json", (ids: string) => `{"users":[{"id":"${ids}","email":"${ids}@example.com"}]}`],
    ["json", (ids: string) => `[{"id":"${ids}","email":"${ids}@example.com"}]`],
  ])("of %s may be several documents, one after the other", async (name, page) => {
    const { write } = newMigration(newPath);
    for (const between of ["", "\n", " \r\n\n"]) {
      const file = write("users.json", ["a", "b", "c"].map(page).join(between));
      const [input] = await openInputs([file]);
      expect(input?.source.name).toBe(name);
      expect(input === undefined ? [] : await idsOf(input)).toEqual(["a", "b", "c"]);
    }
  });

  it("are a table of somebody's own with the hashes of the vendor that the operator names", async () => {
    const { write } = newMigration(newPath);
    const file = write("users.csv", csvOf([{ id: "1", email: "ben@example.com" }]));
    const [input] = await openInputs([file], { from: "firebase" });
    expect(input).toMatchObject({ source: { name: "csv" }, vendor: "firebase" });
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
    expect(totalBytes(inputs)).toBeNull();
  });

  it("keep what of a pipe was looked at, and can't be read a second time", async () => {
    const text = csvOf([
      { id: "1", email: "ben@example.com" },
      { id: "2", email: "cleo@example.com" },
    ]);
    const pipe = newPath("users.pipe");
    execFileSync("mkfifo", [pipe]);
    const [[input]] = await Promise.all([openInputs([pipe]), writeFile(pipe, text)]);
    expect(await idsOf(input!)).toEqual(["1", "2"]);
    expect(() => input!.read({})).toThrow(
      expect.objectContaining({
        code: "input_unreadable",
        message: `${pipe} can be read only once.`,
        hint: expect.stringContaining("Save the export as a file"),
      }),
    );
  });

  it("have the standard input among them, under its own name", async () => {
    const { write } = newMigration(newPath);
    const file = write("users.json", JSON.stringify({ users }));
    const stdin = Readable.from([gzipSync(csvOf([{ id: "1", email: "ben@example.com" }]))]);
    const inputs = await openInputs(["-", file], { stdin });
    expect(
      inputs.map(({ path, source, readOnce, bytes }) => [path, source.name, readOnce, bytes > 0]),
    ).toEqual([
      ["-", "csv", true, false],
      [file, "firebase", false, true],
    ]);
    expect(await idsOf(inputs[0]!)).toEqual(["1"]);
    expect(await idsOf(inputs[1]!)).toEqual(["a"]);
    expect(stdin.destroyed).toBe(true);
  });

  it.each([
    ["that is named twice", ["-", "-"], Readable.from([])],
    ["that nobody handed over", ["-"], undefined],
  ])("have no standard input %s", async (_title, files, stdin) => {
    await expect(openInputs(files, { stdin })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("standard input"),
    });
  });

  it("say which of them ails, the standard input by its name", async () => {
    // The writer hasn't ended it yet.
    const stdin = new PassThrough();
    stdin.write("Dear diary,\n".repeat(9000));
    await expect(openInputs(["-"], { stdin })).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringMatching(/^standard input /),
    });
    expect(stdin.destroyed).toBe(true);
  });

  it("close what was opened where another can't be", async () => {
    // The writer hasn't ended it yet.
    const stdin = new PassThrough();
    stdin.write(csvOf(Array.from({ length: 9000 }, (_, id) => ({ id: `${id}`, email: "b@c.de" }))));
    await expect(openInputs(["-", newPath("nowhere.csv")], { stdin })).rejects.toMatchObject({
      code: "input_unreadable",
    });
    expect(stdin.destroyed).toBe(true);
  });

  it("stop waiting for a slow writer when they are told to", async () => {
    const stdin = new PassThrough();
    stdin.write(csvOf(Array.from({ length: 9000 }, (_, id) => ({ id: `${id}`, email: "b@c.de" }))));
    const [input] = await openInputs(["-"], { stdin });
    const stop = new AbortController();
    let rows = 0;
    for await (const items of input!.read({ signal: stop.signal })) {
      rows += items.length;
      if (rows > 8000) setImmediate(() => stop.abort());
    }
    expect(rows).toBeGreaterThan(8000);
    expect(stdin.destroyed).toBe(true);
  });

  it("are read in the encoding that the operator names", async () => {
    const path = newPath("users.csv");
    await writeFile(path, Buffer.from("id,email,name\n1,ben@example.com,Ren\xe9\n", "latin1"));
    await expect(openInputs([path])).rejects.toMatchObject({ code: "input_unrecognized" });
    const [input] = await openInputs([path], { encoding: "Latin1" });
    expect(await idsOf(input!)).toEqual(["1"]);
    await expect(openInputs([path], { encoding: "klingon" })).rejects.toMatchObject({
      code: "usage",
      message: 'There is no encoding named "klingon".',
    });
  });

  it("need a source that is known; the hint lists them", async () => {
    await expect(openInputs([], { from: "oktopus" })).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringMatching(/firebase.*csv/),
    });
  });

  it.each([
    ["input_unreadable", null],
    ["no_users", ""],
    ["input_unrecognized", "Dear diary,\n"],
  ])("end the run before it begins: %s", async (code, text) => {
    const { write } = newMigration(newPath);
    const file = text === null ? newPath("nowhere.csv") : write("users.csv", text);
    await expect(openInputs([file])).rejects.toMatchObject({ code });
  });

  it("are read as without a mapping that has the core's names alone, also beside --from", async () => {
    const mapping = newPath("names.yaml");
    writeFileSync(mapping, "roles: { Editors: editor }\n");
    const path = newPath("users.csv");
    writeFileSync(path, "id,email\n1,ann@example.com\n");
    for (const from of [undefined, "csv", "devise"]) {
      const [[own], [without]] = [
        await openInputs([path], { mapping, from }),
        await openInputs([path], { from }),
      ];
      expect([own?.source, own?.vendor]).toEqual([without?.source, without?.vendor]);
    }
  });

  it("are read by a mapping of one's own, where they have its fields", async () => {
    const folder = new URL("../docs/fixtures/mappings/", import.meta.url).pathname;
    const mapping = `${folder}acme.yaml`;
    const [input] = await openInputs([`${folder}members.json`], { mapping });
    expect(input).toMatchObject({ vendor: "acme", source: { name: "acme" } });
    expect(await idsOf(input!)).toEqual(["m-1", "m-2"]);
    const { write } = newMigration(newPath);
    const other = write("users.json", '[{"id":"1","email":"ann@example.com"}]');
    await expect(openInputs([other], { mapping })).rejects.toMatchObject({
      code: "input_unrecognized",
    });
    await expect(openInputs([other], { mapping, from: "json" })).rejects.toMatchObject({
      code: "usage",
    });
    await expect(openInputs([other], { mapping: newPath("no.yaml") })).rejects.toMatchObject({
      code: "mapping_invalid",
    });
  });
});
