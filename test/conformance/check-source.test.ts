import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkSource } from "../../src/conformance/check-source.js";
import { loadSource } from "../../src/source/own-source.js";
import { mappedSource } from "../../src/source/mapping/mapped-source.js";
import { parseMapping } from "../../src/source/mapping/read-mapping.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const HASH = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const USERS = [
  { acmeId: "a1", mail: "ann@example.com", confirmed: true, pw: HASH, locked: 0, nick: "Ann" },
  { acmeId: "a2", mail: "bob@example.com", confirmed: false, locked: 1 },
  { acmeId: "a3", mail: "", locked: 0, tags: ["x"] },
];

const MODULE = `const seen = [];
export default {
  name: "acme",
  title: "Acme",
  recognize: [["acmeId", "locked"]],
  fields: {
    pages: ["https://acme.example.com"],
    read: { id: "acmeId", contact: "mail", verified: "confirmed", hash: "pw", flag: "locked" },
    metadata: "nick > nickname",
    meaningless: { "Acme's own": "tags" },
  },
  user(user) {
    return { id: user.acmeId, email: user.mail, emailVerified: user.confirmed ?? null, hash: user.pw,
      keptOut: user.locked === 1 ? ["disabled"] : [] };
  },
};`;

const MAPPING = `name: acme
title: Acme
pages: [https://acme.example.com]
recognize: [[acmeId, locked]]
id: acmeId
email: mail
email_verified: confirmed
hash: pw
flags:
  locked: { is: "yes" }
metadata: { nickname: nick }
meaningless:
  Acme's own: [tags]
`;

/** A file of users, and what each of them is to be. */
async function writeUsers(): Promise<string> {
  const file = newPath("users.json");
  writeFileSync(file, JSON.stringify(USERS));
  const { met } = await checkSource(mappedSource(parseMapping("acme.yaml", MAPPING)), file);
  writeFileSync(`${file}.expected.json`, met ?? "");
  return file;
}

async function faultsOf(source: Awaited<ReturnType<typeof loadSource>>): Promise<string[]> {
  const { checked } = await checkSource(source, await writeUsers());
  expect(checked.expected).toBe(true);
  return checked.faults.map(({ code }) => code);
}

async function load(text: string) {
  const path = newPath("acme.mjs");
  writeFileSync(path, text);
  return loadSource(path);
}

test("a mapping and a module that say the same have no fault", async () => {
  expect(await faultsOf(mappedSource(parseMapping("acme.yaml", MAPPING)))).toEqual([]);
  expect(await faultsOf(await load(MODULE))).toEqual([]);
});

const FIRST = "return { id: user.acmeId";
const PLANTED: readonly (readonly [string, string, string, string])[] = [
  ["not_recognized", '"acmeId", "locked"', '"acmeId", "blocked"', "fields that aren't there"],
  ["takes_any", '["acmeId", "locked"]', '["acmeId"], ["email"]', "fields that any table has"],
  ["row_malformed", FIRST, `if (!user.mail) throw new Error(); ${FIRST}`, "code that fails"],
  ["row_malformed", "emailVerified:", "emailverified:", "a name that isn't one of a user's"],
  ["id_missing", "id: user.acmeId", 'id: ""', "users without an id"],
  ["contact_missing", "email: user.mail", 'email: ""', "users without a contact"],
  ["field_without_fate", ', contact: "mail"', "", "a field that the table leaves out"],
  [
    "hint_tells",
    FIRST,
    `if (user.locked) return { refused: user.mail }; ${FIRST}`,
    "a hint with an email",
  ],
  [
    "differs_again",
    FIRST,
    `if (seen.push(user.acmeId) > 3) user.mail = ""; ${FIRST}`,
    "what is kept between users",
  ],
  ["not_as_expected", "user.locked === 1", "user.locked === true", "a flag that is read wrongly"],
  ["not_as_expected", "user.confirmed ?? null", "null", "a verification that isn't read"],
  ["not_as_expected", "nick > nickname", "nick > nick_name", "metadata under another name"],
];

test.each(PLANTED)("%s is told where %j became %j: %s", async (code, from, to) => {
  expect(MODULE).toContain(from);
  expect(await faultsOf(await load(MODULE.replace(from, to)))).toContain(code);
});

const PLANTED_IN_MAPPING: readonly (readonly [string, string, string, string])[] = [
  ["not_recognized", "acmeId, locked]]", "acmeId, blocked]]", "fields that aren't there"],
  ["takes_any", "[[acmeId, locked]]", "[[email], [acmeId]]", "fields that any table has"],
  ["id_missing", "id: acmeId", "id: acme_id", "a misspelled id"],
  ["contact_missing", "email: mail", "email: email", "a misspelled contact"],
  ["field_without_fate", "  Acme's own: [tags]", "  Acme's own: [labels]", "a field left out"],
  ["not_as_expected", '{ is: "yes" }', '{ is: "no" }', "a flag that is read the other way"],
  ["not_as_expected", "email_verified: confirmed", "told: { x: [confirmed] }", "a lost mark"],
  ["not_as_expected", "hash: pw", "told: { x: [pw] }", "a lost hash"],
  ["not_as_expected", "{ nickname: nick }", "{ nick_name: nick }", "metadata by another name"],
  ["no_user", '{ is: "yes" }', '{ values: { "2": in } }', "a flag with none of its values"],
];

test.each(PLANTED_IN_MAPPING)(
  "%s is told of a mapping where %j became %j: %s",
  async (code, from, to) => {
    expect(MAPPING).toContain(from);
    const mapping = MAPPING.replace(from, to);
    expect(await faultsOf(mappedSource(parseMapping("acme.yaml", mapping)))).toContain(code);
  },
);

test("another system's users are told as that system's", async () => {
  const file = newPath("users.json");
  writeFileSync(
    file,
    JSON.stringify([
      { acmeId: "1", locked: 0, objectId: "1", username: "ann", bcryptPassword: HASH },
    ]),
  );
  const source = mappedSource(parseMapping("acme.yaml", MAPPING));
  const { faults } = (await checkSource(source, file)).checked;
  expect(faults).toContainEqual({
    code: "taken_by_another",
    says: "it is recognized as parse",
  });
});

test.each(["{}", '{"items":{}}', '{"items":[1]}', "no JSON"])(
  "%s as what is expected is told, and not taken for nothing to compare with",
  async (expectation) => {
    const file = await writeUsers();
    writeFileSync(`${file}.expected.json`, expectation);
    const { checked } = await checkSource(await load(MODULE), file);
    expect(checked.faults).toEqual([
      { code: "not_as_expected", says: `${file}.expected.json has no items as JSON` },
    ]);
  },
);

test("an expectation without the accounts' other parts is compared in what it has", async () => {
  const file = await writeUsers();
  const path = `${file}.expected.json`;
  const { items } = JSON.parse(readFileSync(path, "utf8"));
  expect(items[0].record.account).toMatchObject({ metadata: { nickname: "Ann" } });
  for (const { record } of items) delete record.account;
  writeFileSync(path, JSON.stringify({ items }));
  expect((await checkSource(await load(MODULE), file)).checked.faults).toEqual([]);
});

test.each([
  ["export default 7;", "its default export"],
  ["export const source = {};", "its default export"],
  [MODULE.replace('title: "Acme"', 'titel: "Acme"'), "title"],
  [MODULE.replace('"tags"', '"tags, nick"'), "nick twice"],
  [MODULE.replace('"locked"]', '"locked[?"]'), "locked[?"],
  ["import 'nowhere-at-all';", "nowhere-at-all"],
])("a module that is no source is refused: %#", async (text, says) => {
  await expect(load(text)).rejects.toMatchObject({
    code: "mapping_invalid",
    message: expect.stringContaining(says),
  });
});
