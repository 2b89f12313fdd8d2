import { Command } from "commander";
import { writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { carrying, carryPolicy } from "../../../src/cli/options/carrying.js";
import { commanderOption } from "../../../src/cli/options/option.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

/** The policy of a command line; the message of an error where it is refused. */
function policyOf(...argv: string[]) {
  const command = new Command("move").exitOverride().configureOutput({ writeErr: () => {} });
  for (const spec of Object.values(carrying)) command.addOption(commanderOption(spec));
  command.parse(argv, { from: "user" });
  return carryPolicy({ mapping: undefined, ...command.opts() });
}

const NOTHING = { carry: null, roles: null, mapRole: new Map(), mapProvider: new Map() };

const newPath = temporaryPaths();

/** The path of a mapping. */
function mapped(text: string): string {
  const path = newPath("names.yaml");
  writeFileSync(path, text);
  return path;
}

describe("what is to be carried", () => {
  it("has the core's names of roles and providers that a partial mapping says", () => {
    const mapping = mapped(
      'roles: { Editors: editor, "cn=Staff,ou=eu": staff }\nproviders: { oidc.acme: acme }\n',
    );
    expect(carryPolicy({ carry: undefined, roles: undefined, mapping })).toEqual({
      ...NOTHING,
      mapRole: new Map([
        ["Editors", "editor"],
        ["cn=Staff,ou=eu", "staff"],
      ]),
      mapProvider: new Map([["oidc.acme", "acme"]]),
    });
  });

  test.each([
    ["no name at the core", "roles: { Editors: }", /names\.yaml, line 1: roles/],
    ["two names for one", "roles:\n  Editors: editor\n  Editors: writer", /line 3: .*unique/],
    ["fields beside them", "roles: { Editors: editor }\nrole: x", /line 2|name/],
  ])("isn't by a mapping with %s", (_what, text, message) => {
    const mapping = mapped(text);
    expect(() => carryPolicy({ carry: undefined, roles: undefined, mapping })).toThrow(message);
  });

  test.each([
    ["all that the core offers by default", [], NOTHING],
    [
      "parts by their names",
      ["--carry", "metadata, verified,metadata"],
      { carry: ["metadata", "verified"] },
    ],
    ["nothing", ["--carry", "none"], { carry: [] }],
    ["roles that are there", ["--roles", "existing"], { roles: "existing" }],
    ["roles that are made", ["--roles", "create"], { roles: "create" }],
  ] as const)("is %s", (_what, argv, changes) => {
    expect(policyOf(...argv)).toEqual({ ...NOTHING, ...changes });
  });

  test.each([
    ["an unknown part", ["--carry", "verified,groups"], /verified, joined, metadata, social, totp/],
    ["none beside a part", ["--carry", "none,totp"], /or write none/],
    ["no part", ["--carry", ""], /or write none/],
    ["roles of another kind", ["--roles", "all"], /existing, create/],
  ] as const)("isn't %s", (_what, argv, message) => {
    expect(() => policyOf(...argv)).toThrow(message);
  });
});
