import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import type { OptionSpec } from "../../src/cli/options/option.js";
import { loadVerbs } from "../../src/cli/program.js";
import { IN_LIBRARY, namesOf, optionName } from "../../src/errors/option-name.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { ROOT, sourceFiles } from "../laws/source-files.js";

it("is the flag for the command line, and for the library what its callers give", () => {
  const [inCommand, inLibrary] = [namesOf(true), namesOf(false)];
  expect(inCommand("--hash-config", "FILE")).toBe("--hash-config FILE");
  expect(inLibrary("--hash-config", "FILE")).toBe("hashConfig");
  expect(inCommand("--core")).toBe("--core");
  expect(inLibrary("--core")).toBe("connectCore");
});

it("is the flag wherever the command line's process says so before anything is loaded", () => {
  expect(optionName("--on-existing")).toBe("--on-existing");
});

it("is the library's option for who imports the package", () => {
  const script = `
    import { normalizeHash } from "auth-migrate";
    process.stdout.write(normalizeHash({ kind: "text", text: "$2x$10$" }).hint);`;
  const hint = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(hint).toContain("policy.onUnusableHash");
  expect(hint).not.toContain("--");
});

it("has the library's name of every decision of a policy", () => {
  // Names at the core come from a mapping.
  const { mapRole: _roles, mapProvider: _providers, ...decided } = DEFAULT_POLICY;
  const decisions = Object.keys(decided).map((name) => `policy.${name}`);
  const names: readonly string[] = Object.values(IN_LIBRARY);
  expect(names.filter((name) => name.startsWith("policy.")).sort()).toEqual(decisions.sort());
});

/** What is typed as it stands, up to the end of its clause. */
const COMMAND = /\b(?:auth-migrate|createdb) [^,;:()"`]*/g;

it("names every option in what callers of the library are told, and nothing else does", async () => {
  const verbs = [...(await loadVerbs()).values()];
  const flags = new Set(
    verbs.flatMap(({ options }) =>
      Object.values<OptionSpec>(options).flatMap(({ flags }) => flags.split(" ", 1)),
    ),
  );
  const told = sourceFiles().filter(
    ({ path }) =>
      !/^(?:cli|report|events\/lines)\/|^(?:run\/shared-options|errors\/option-name)/.test(path),
  );
  const all = told.map(({ code }) => code.replaceAll(COMMAND, "")).join("\n");
  const named = Array.from(all.matchAll(/optionName\(\s*"([^"]+)"/g), ([, flag]) => flag);
  expect([...new Set(named)].sort()).toEqual(Object.keys(IN_LIBRARY));
  expect(Object.keys(IN_LIBRARY).filter((flag) => !flags.has(flag))).toEqual([]);
  const written = Array.from(
    all.matchAll(/(?<!optionName\(\s*")--[a-z][a-z-]+/g),
    ([flag]) => flag,
  );
  // The library has none of them.
  const others = ["--fields", "--upstream-client", "--upstream-url"];
  const unnamed = new Set(written.filter((flag) => flags.has(flag)));
  expect([...unnamed].sort()).toEqual(others);
});
