import { readFileSync, writeFileSync } from "node:fs";
import { parse as parseCsv } from "csv-parse/sync";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { repeated, tried } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { allBlocks, type Block, sessionsOf } from "./support/blocks.js";
import { compile } from "./support/compile.js";
import { follow, inSession, prepare } from "./support/follow.js";

// Two processors are all that there may be.
vi.setConfig({ maxConcurrency: 2 });

const newPath = temporaryPaths();
const BLOCKS = allBlocks();
const OPEN = BLOCKS.filter(({ directive }) => directive.skip === "");

/** How blocks of each language are tested. One of another language has no home here. */
const HOMES = ["sh", "console", "ts", "json", "ndjson", "yaml", "csv", "dockerfile"];

function inLanguage(language: string): Block[] {
  return OPEN.filter((block) => block.language === language);
}

it("every block of README.md and docs has a test, or a reason for having none", () => {
  const homeless = OPEN.filter(({ language }) => !HOMES.includes(language));
  expect(homeless.map(({ where, language }) => `${where} (${language})`)).toEqual([]);
  expect(OPEN.length).toBeGreaterThan(30);
});

describe("data in", () => {
  it.each(inLanguage("json").map((block) => [block.where, block] as const))(
    "%s is JSON",
    (_, { text }) => {
      expect(() => JSON.parse(text)).not.toThrow();
    },
  );

  it.each(inLanguage("ndjson").map((block) => [block.where, block] as const))(
    "%s is a JSON object a line",
    (_, { text }) => {
      for (const line of text.trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
    },
  );

  it.each(inLanguage("yaml").map((block) => [block.where, block] as const))(
    "%s is YAML",
    (_, { text }) => {
      expect(parseYaml(text)).toEqual(expect.any(Object));
    },
  );

  it.each(inLanguage("csv").map((block) => [block.where, block] as const))(
    "%s is CSV",
    (_, { text }) => {
      expect(() => parseCsv(text)).not.toThrow();
    },
  );
});

describe("TypeScript in", () => {
  const programs = new Map(inLanguage("ts").map((block) => [nameOf(block), block.text]));
  let compiled: Awaited<ReturnType<typeof compile>>;
  beforeAll(async () => {
    compiled = await compile(newPath("programs"), programs);
  });

  it("the docs compiles", () => {
    expect(programs.size).toBeGreaterThan(1);
    expect(compiled.problems).toBe("");
  });

  it.concurrent.each(
    tried(
      inLanguage("ts").map((block) => [block.where, block] as const),
      2,
    ),
  )("%s runs", async (_, block) => {
    await inSession(newPath("session"), [block], undefined, async (session) => {
      await prepare(session, block);
      const path = compiled.pathOf(nameOf(block));
      writeFileSync(path, await session.addressed(readFileSync(path, "utf8")));
      const result = await session.run(`node ${path}`);
      expect(result.code, result.output).toBe(block.directive.exit);
    });
  });
});

describe("commands in", () => {
  const shell = OPEN.filter(({ language }) => language === "sh" || language === "console");
  const sessions = sessionsOf(shell).map((blocks) => [blocks[0]?.where ?? "", blocks] as const);
  // README.md's come first.
  const most = repeated({ variable: "AUTH_MIGRATE_DOC_SESSIONS", few: 2, full: 1000 });

  it.concurrent.each(sessions.slice(0, most))("%s do what is said", async (_, blocks) => {
    await follow(newPath("session"), blocks);
  });
});

function nameOf({ where }: Block): string {
  return where.replace(/\W+/g, "-");
}
