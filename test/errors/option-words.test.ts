import { describe, expect, it } from "vitest";
import type { OptionSpec } from "../../src/cli/options/option.js";
import { loadVerbs } from "../../src/cli/program.js";
import { inOptions, inTheirWords, OPTIONS } from "../../src/errors/option-words.js";
import { RunError } from "../../src/errors/run-error.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { sourceFiles } from "../laws/source-files.js";

describe("a hint in the library's words", () => {
  it.each([
    [
      "use --on-unusable-hash passwordless, or send a reset",
      "use policy.onUnusableHash passwordless, or send a reset",
    ],
    ["--include disabled migrates them", "policy.include disabled migrates them"],
    ["take them with --allow-hash 2x, which", "take them with policy.allowHash 2x, which"],
    ["allow it with --allow-hash argon2-N, and", "allow it with policy.allowHash argon2-N, and"],
    ["name it with --hash-config FILE.", "name it with hashConfig."],
    ["Give --from csv or --from json", "Give from csv or from json"],
    ["it with --from keycloak, or leave --from out", "it with from keycloak, or leave from out"],
    ["as in --map email=NAME.", "as in map email=NAME."],
    ["the URL given by --core and", "the URL given by connectCore and"],
    ["lower --concurrency; then", "lower concurrency; then"],
    [
      "Give the key by --api-key-file or AUTH_MIGRATE_API_KEY, then run it again",
      "Give the key by apiKey, then run it again",
    ],
    ["give it (PEM) by --ca-file.", "give it (PEM) by ca."],
    ["--vault FILE and its key with --vault-key-file", "vault and its key with vault.key"],
    ["nothing of a flag -- at all", "nothing of a flag -- at all"],
    // Commands are typed as they stand, and other programs have flags of their own.
    ["as auth-migrate report --id-map lists", "as auth-migrate report --id-map lists"],
    [
      "auth-migrate check-source --print-query shows it. Change that, and give it by --query.",
      "auth-migrate check-source --print-query shows it. Change that, and give it by query.",
    ],
    ["Make it with createdb --encoding UTF8.", "Make it with createdb --encoding UTF8."],
    ["soffice --headless --convert-to csv", "soffice --headless --convert-to csv"],
  ])("%j", (hint, expected) => {
    expect(inOptions(hint)).toBe(expected);
  });

  it("names every decision of a policy as one", () => {
    const flagOf = (name: string): string =>
      name === "pepper"
        ? "--prehash-salt-file"
        : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    // Names at the core come from a mapping.
    const { mapRole: _roles, mapProvider: _providers, ...decided } = DEFAULT_POLICY;
    const decisions = Object.keys(decided).map((name) => [name, flagOf(name)]);
    for (const [name = "", flag = ""] of decisions) {
      expect(inOptions(flag)).toBe(`policy.${name}`);
    }
  });
});

/** What stands in texts of the rooms whose hints callers of the library are told. */
function namedFlags(): readonly string[] {
  const told = sourceFiles().filter(
    ({ path }) => !/^(?:cli|report|events\/lines)\/|^run\/shared-options/.test(path),
  );
  return told.flatMap(({ code }) => {
    const text = code.replaceAll(/\b(?:auth-migrate|createdb) [^,;:()"`]*/g, "");
    return Array.from(text.matchAll(/--([a-z][a-z-]+)/g), ([, flag = ""]) => flag);
  });
}

it("every option that a hint names has a row, and every row is an option's", async () => {
  const verbs = [...(await loadVerbs()).values()];
  const flags = new Set(
    verbs.flatMap(({ options }) =>
      Object.values<OptionSpec>(options).map(({ flags }) => /^--([\w-]+)/.exec(flags)?.[1] ?? ""),
    ),
  );
  // The library has none of them.
  const others = ["fields", "upstream-client", "upstream-url"];
  const named = new Set(namedFlags().filter((flag) => flags.has(flag)));
  expect([...named].filter((flag) => !OPTIONS.has(flag)).sort()).toEqual(others);
  expect([...OPTIONS.keys()].filter((flag) => !named.has(flag))).toEqual([]);
});

describe("a caller of the library", () => {
  const event = { type: "reject", hint: "use --on-unusable-hash passwordless" };
  const broken = new RunError("usage", "--limit is 0", { hint: "Give --limit 1." });

  function told(hints?: "flags" | "options") {
    const events: object[] = [];
    const given = { hints, onEvent: (one: object) => void events.push(one) };
    return inTheirWords(given, async ({ onEvent }) => {
      onEvent(event);
      onEvent({ type: "progress" });
      return events;
    });
  }

  it("reads of options in events, and the command line of its flags", async () => {
    const hint = "use policy.onUnusableHash passwordless";
    expect(await told()).toEqual([{ ...event, hint }, { type: "progress" }]);
    expect(await told("flags")).toEqual([event, { type: "progress" }]);
  });

  it("reads of them in what is thrown, with what was thrown beneath it", async () => {
    const failing = inTheirWords({}, () => Promise.reject(broken));
    await expect(failing).rejects.toMatchObject({
      code: "usage",
      message: "limit is 0",
      hint: "Give limit 1.",
      cause: broken,
    });
    await expect(inTheirWords({ hints: "flags" }, () => Promise.reject(broken))).rejects.toBe(
      broken,
    );
  });
});
