import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { commanderOption } from "../../src/cli/options/option.js";
import { loadVerbs } from "../../src/cli/program.js";
import { ROOT } from "./source-files.js";

const DOCS = readDocs();
const VERBS = await loadVerbs();

function readDocs(): string {
  const folder = join(ROOT, "docs");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  return [join(ROOT, "README.md"), ...pages].map((path) => readFileSync(path, "utf8")).join("\n");
}

/** Those of some names that no page has in code style, nor a line of a block, alone or with more behind it. */
function missing(names: Iterable<string>): string[] {
  return [...new Set(names)].filter(
    (name) => !new RegExp(`(?:[\`"]|^)${name}(?![\\w-])`, "m").test(DOCS),
  );
}

describe("the docs name", () => {
  it("every command", () => {
    const names = [...VERBS.keys()].map((name) => `auth-migrate ${name}`);
    expect(names).toContain("auth-migrate checkpoint purge");
    expect(missing(names)).toEqual([]);
  });

  it("every flag of every command", () => {
    const flags = [...VERBS.values()].flatMap(({ options }) =>
      Object.values(options).map((option) => option.flags.replace(/ .*/, "")),
    );
    expect(flags.length).toBeGreaterThan(20);
    expect(missing(flags)).toEqual([]);
  });

  it("every exit code", () => {
    const rows = DOCS.match(/^\| [\d, ]+ \|/gm) ?? [];
    const named = new Set(rows.flatMap((row) => row.match(/\d+/g) ?? []));
    expect(Object.keys(EXIT_CODES).filter((code) => !named.has(code))).toEqual([]);
  });
});

describe("the help of every command", () => {
  /** As a terminal of 80 columns shows it. */
  function helpOf(name: string): string {
    const command = new Command(name);
    VERBS.get(name)?.declare(command, true);
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    return help;
  }

  it("has every flag, two examples of the command, and says where the exit codes are", () => {
    for (const [name, { options }] of VERBS) {
      const help = helpOf(name);
      for (const { flags } of Object.values(options)) expect(help).toContain(`  ${flags} `);
      expect(help.match(new RegExp(`^  auth-migrate ${name}\\b`, "gm"))).toHaveLength(2);
      expect(help).toContain("help exit-codes");
    }
  });

  it("is no wider than 80 columns, and breaks no address", () => {
    for (const name of VERBS.keys()) {
      const help = helpOf(name);
      expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(help).not.toMatch(/https?:\/*\n|https?:\/\/\S*\n\s+[a-z.]+(?:\/|:\d)/);
    }
  });

  it("begins with the options of every day, and says what each option is for", () => {
    for (const [name, { options }] of VERBS) {
      expect(
        helpOf(name)
          .match(/^.* options:$|^[A-Z].*:$/gm)
          ?.slice(0, 2),
      ).toContain("Everyday options:");
      expect(Object.values(options).filter(({ help }) => help === "")).toEqual([]);
    }
  });
});

describe("every option", () => {
  it("has the name that its flag has", () => {
    for (const { options } of VERBS.values()) {
      const names = Object.values(options).map((spec) => commanderOption(spec).attributeName());
      expect(names).toEqual(Object.keys(options));
    }
  });
});
