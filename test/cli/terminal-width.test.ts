import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadVerbs } from "../../src/cli/program.js";
import { runCli } from "../support/cli.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
const VERBS = await loadVerbs();
const OTHERS = [["--help"], ["help"], ["checkpoint"], ["help", "exit-codes"], ["help", "pages"]];
const HELPS = [
  ...OTHERS,
  ...Array.from(VERBS.keys(), (name) => [...name.split(" "), "--help"]),
  ...Array.from(VERBS.keys(), (name) => ["help", ...name.split(" "), "--all"]),
];

/** Each option that takes one of some words, given another one. */
const UNCHOSEN = [...VERBS].flatMap(([name, { options }]) =>
  Object.values(options)
    .filter(({ type }) => type instanceof z.ZodEnum)
    .map(({ flags }) => [...name.split(" "), flags.split(" ", 1)[0] ?? "", "no-such-word"]),
);
const WRONG = [
  ...UNCHOSEN,
  ["no-such-command"],
  ["import", "--no-such-option-of-any-command-that-there-is-and-that-takes-a-value"],
  ["import", "users.csv", "--accept-rejects", "nothing"],
  ["import", "--shard"],
  ["validate"],
  ["completion", "tcsh"],
  ["help", "no-such-page-code-or-command-and-a-name-that-is-longer-than-others"],
];

/** What a text says, wherever it is broken. */
const words = (text: string): string[] => text.replace(/ \\$/gm, "").trim().split(/\s+/);

describe("started by npx, on a screen of 80 columns and less", () => {
  const [, script = ""] = process.argv;
  beforeAll(() => {
    process.argv[1] = "/home/kim/.npm/_npx/1a2b/node_modules/.bin/auth-migrate";
  });
  afterAll(() => {
    process.argv[1] = script;
  });
  const told = async (args: string[], screen: number): Promise<string> => {
    const env = { npm_lifecycle_event: "npx" };
    const { stdout, stderr } = await runCli(args, { cwd: workFolder(), env, screen });
    return `${stdout}${stderr}`;
  };
  const longest = (text: string): number =>
    Math.max(...text.split("\n").map(({ length }) => length));

  it.each(HELPS)(
    "the help of %s %s %s fits, and names npx in all its commands",
    async (...args) => {
      const typed = args.filter((word) => word !== undefined);
      const text = await told(typed, 80);
      expect(longest(text)).toBeLessThanOrEqual(80);
      expect(text).not.toMatch(/(?<!npx )\bauth-migrate (?=[a-z[]|--)/);
      expect(longest(await told(typed, 70))).toBeLessThanOrEqual(70);
    },
  );

  it.each(WRONG)("what is said of %s %s %s %s fits, and breaks no word", async (...args) => {
    const typed = args.filter((word) => word !== undefined);
    const text = await told(typed, 80);
    expect(longest(text)).toBeLessThanOrEqual(80);
    expect(words(text)).toEqual(words(await told(typed, 1000)));
  });
});
