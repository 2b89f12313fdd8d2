import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { accountAt } from "../run/support/accounts.js";
import { newMigration } from "../run/support/run.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { runs } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const { passwordHash } = KNOWN_HASHES.bcrypt;

const MAPPING = {
  name: "acme",
  title: "Acme Login",
  users: ["orgs[].people", "people"],
  recognize: [["acmeId", "mail"]],
  id: "acmeId",
  email: "mail",
  email_verified: "proven",
  hash: "password",
  related: [
    { list: "teams", where: "open != `false`", users: "members", roles: "name" },
    { list: "devices", user: "owner", totp: "secret" },
    { list: "mails", user: "owner", email: "mail", email_verified: "proven" },
    { list: "bans", users: "whom", flags: { until: { is: "until" } } },
    {
      list: "links",
      user: "owner",
      view: "{ all: [@] }",
      social: [{ list: "all[]", provider: "at", id: "as" }],
    },
  ],
};

const person = (acmeId: string, more: object = {}) => ({
  acmeId,
  mail: `${acmeId}@example.com`,
  password: passwordHash,
  ...more,
});
const PEOPLE = ["ann", "ben", "cleo"].map((id) => person(id));

/** What a dry run makes of a document. */
async function validated(document: object | string) {
  const path = newPath("acme.json");
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
  const findings: Record<string, string> = {};
  const summary = await validateUsers({
    inputs: await openInputs([path], { mapping: MAPPING }),
    onEvent: (event) => {
      if (event.type === "finding") findings[event.code] = event.hint;
    },
  });
  return { summary, findings };
}

describe("what lists beside the users say of them", () => {
  const UNTIL = "2999-01-01";
  test.each([
    [
      "a role of several",
      { teams: [{ name: "writer", members: ["ann", "ben"] }] },
      { notices: { roles_not_migrated: 2 } },
    ],
    [
      "one that is no longer open",
      { teams: [{ name: "writer", open: false, members: ["ann"] }] },
      { skips: {}, ready: { import: 3 } },
    ],
    [
      "a role that keeps out",
      { teams: [{ name: "banned", members: ["ben", "cleo"] }] },
      { skips: { disabled: 2, other_model: 1 } },
    ],
    [
      "a second factor",
      { devices: [{ owner: "ann", secret: "JBSWY3DPEHPK3PXP" }] },
      { carriedUsers: { totp: 1 } },
    ],
    [
      "one that can't be used",
      { devices: [{ owner: "ann", secret: "?" }] },
      { rejects: { factor_lost: 1 } },
    ],
    [
      "an address that was verified",
      { mails: [{ owner: "ann", mail: "ann@example.com", proven: true }] },
      { carriedUsers: { verified: 1 } },
    ],
    [
      "a ban of several",
      { bans: [{ whom: ["ann", "ben"], until: UNTIL }] },
      { skips: { disabled: 2, other_model: 1 } },
    ],
    [
      "one that is over",
      { bans: [{ whom: ["ann"], until: "2001-01-01" }] },
      { ready: { import: 3 } },
    ],
    [
      "a social account",
      { links: [{ owner: "ann", at: "google", as: "77" }] },
      { notices: { social_identity_dropped: 1 } },
    ],
  ])(
    "counts as if their rows said it, wherever the lists stand: %s",
    async (_what, lists, expected) => {
      for (const document of [
        { ...lists, people: PEOPLE },
        { people: PEOPLE, ...lists },
        { people: PEOPLE, more: { ...lists } },
        { orgs: [{ ...lists, people: PEOPLE.slice(0, 1) }, { people: PEOPLE.slice(1) }] },
      ]) {
        expect((await validated(document)).summary).toMatchObject(expected);
      }
    },
  );

  test("stops the run where it decides about a user who isn't there, though others are", async () => {
    const of = (whom: readonly string[]) => ({ people: PEOPLE, bans: [{ whom, until: UNTIL }] });
    expect((await validated(of(["ann", "ben"]))).summary.skips).toMatchObject({ disabled: 2 });
    for (const whom of [["nina"], ["ann", "nina"], ["ann", 7]])
      await expect(validated(of(whom as string[]))).rejects.toMatchObject({
        code: "input_damaged",
      });
    const roles = { people: PEOPLE, teams: [{ name: "writer", members: ["ann", "nina"] }] };
    expect((await validated(roles)).findings).not.toHaveProperty("input_doubtful");
  });

  test("is told once of a list that no mapping names", async () => {
    const orders = Array.from({ length: 40 }, (_, id) => ({ id, total: 3 }));
    const { summary, findings } = await validated({ orders, people: PEOPLE, plans: [{ id: 1 }] });
    expect(summary).toMatchObject({ read: 3, skips: {}, rejects: {} });
    expect(findings.field_unknown).toContain('"orders" (list beside the users, 40 rows)');
    expect(findings.field_unknown).toContain('"plans" (list beside the users, 1 row)');
  });

  test("stops the run where no mapping names it and it says who may sign in", async () => {
    const banned = { people: PEOPLE, suspensions: [{ user_id: "ann" }] };
    await expect(validated(banned)).rejects.toMatchObject({ code: "input_unrecognized" });
    const factor = { mfa_devices: [{ user_id: "ann", key: "x" }], people: PEOPLE };
    await expect(validated(factor)).rejects.toMatchObject({ code: "input_unrecognized" });
  });

  test("brings nobody where the document was cut off, and waits for no list where there can be none", async () => {
    const text = JSON.stringify({ people: PEOPLE, teams: [{ name: "banned", members: ["ann"] }] });
    await expect(validated(text.slice(0, -20))).rejects.toMatchObject({ code: "input_damaged" });
    const lines = PEOPLE.map((one) => JSON.stringify(one)).join("\n");
    expect((await validated(lines.slice(0, -5))).summary.ready.import).toBe(2);
  });

  test("is written out with a user who is rejected, and read again from there", async () => {
    const devices = [{ owner: "ann", secret: "?" }];
    const teams = [{ name: "writer", members: ["ann", "ben"] }];
    const bans = [{ whom: ["ann", "ben"], until: "2001-01-01" }];
    const path = newPath("acme.json");
    writeFileSync(path, JSON.stringify({ people: PEOPLE, devices, teams, bans }, null, 1));
    const rejectsOut = newPath("rejects.json");
    const mapping = MAPPING;
    await validateUsers({ inputs: await openInputs([path], { mapping }), rejectsOut });
    const text = readFileSync(rejectsOut, "utf8");
    expect(text.trim().split("\n")).toHaveLength(4);
    writeFileSync(rejectsOut, text.replace('"?"', '"JBSWY3DPEHPK3PXP"'));
    const again = await validateUsers({ inputs: await openInputs([rejectsOut], { mapping }) });
    expect(again).toMatchObject({ rejected: 0, carriedUsers: { totp: 1 } });
    expect(again.notices.roles_not_migrated).toBe(1);
  });
});

test("an import brings what the lists say, in any order of a document's parts", async () => {
  const users = ["ann", "ben", "cleo"].map((name) => ({
    ...{ owner: "acme", name, id: `id-${name}`, type: "normal-user", isForbidden: false },
    ...{ email: `${name}@example.com`, emailVerified: true, preHash: "" },
    ...{ password: passwordHash, passwordType: "bcrypt" },
  }));
  const role = (name: string, ...of: string[]) => ({
    owner: "acme",
    name,
    isEnabled: true,
    users: of,
  });
  const roles = [role("writer", "acme/ann", "acme/cleo"), role("banned", "acme/ben")];
  const parts: [string, object[]][] = [
    ["organizations", [{ owner: "admin", name: "acme" }]],
    ...([
      ["users", users],
      ["roles", roles],
    ] as [string, object[]][]),
    ["certs", [{ owner: "admin", name: "cert" }]],
  ];
  const orders = fc.shuffledSubarray(parts, { minLength: parts.length });
  await fc.assert(
    fc.asyncProperty(orders, async (shuffled) => {
      const migration = newMigration(newPath);
      const file = migration.write("init.json", JSON.stringify(Object.fromEntries(shuffled)));
      await migration.run([file], { policy: { roles: "create" } });
      const found = users.map(({ email }) => accountAt(migration.core, email));
      expect(await Promise.all(found)).toMatchObject(
        [
          { recipe: "emailpassword", roles: ["writer"] },
          null,
          { recipe: "emailpassword", roles: ["writer"] },
        ].map((one) => one && expect.objectContaining(one)),
      );
      await migration.close();
    }),
    { numRuns: runs(6) },
  );
});
