import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { carrying, carryPolicy } from "../../../src/cli/options/carrying.js";
import { commanderOption } from "../../../src/cli/options/option.js";

/** The policy of a command line; the message of an error where it is refused. */
function policyOf(...argv: string[]) {
  const command = new Command("move").exitOverride().configureOutput({ writeErr: () => {} });
  for (const spec of Object.values(carrying)) command.addOption(commanderOption(spec));
  command.parse(argv, { from: "user" });
  return carryPolicy(command.opts());
}

const NOTHING = { carry: null, roles: null, mapRole: new Map(), mapProvider: new Map() };

describe("what is to be carried", () => {
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
    [
      "roles and providers by other names",
      [
        "--map-role",
        "cn=Staff,ou=eu = staff",
        "--map-role",
        "b=b",
        "--map-provider",
        "oidc.acme=acme",
      ],
      {
        mapRole: new Map([
          ["cn=Staff,ou=eu", "staff"],
          ["b", "b"],
        ]),
        mapProvider: new Map([["oidc.acme", "acme"]]),
      },
    ],
    [
      "one name twice",
      ["--map-role", "a=b", "--map-role", "a=b"],
      { mapRole: new Map([["a", "b"]]) },
    ],
  ] as const)("is %s", (_what, argv, changes) => {
    expect(policyOf(...argv)).toEqual({ ...NOTHING, ...changes });
  });

  test.each([
    ["an unknown part", ["--carry", "verified,groups"], /verified, joined, metadata, social, totp/],
    ["none beside a part", ["--carry", "none,totp"], /or write none/],
    ["no part", ["--carry", ""], /or write none/],
    ["roles of another kind", ["--roles", "all"], /existing, create/],
    ["a role without a name at the core", ["--map-role", "editors="], /vendor=core/],
    ["a role without a name at the vendor", ["--map-role", "=editor"], /vendor=core/],
    ["two names for one", ["--map-provider", "a=b", "--map-provider", "a=c"], /two names/],
  ] as const)("isn't %s", (_what, argv, message) => {
    expect(() => policyOf(...argv)).toThrow(message);
  });
});
