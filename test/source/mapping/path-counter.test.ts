import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { vendorFields } from "../../../src/stage/field-events.js";
import { NOTHING_CARRIED } from "../../../src/plan/carried.js";
import type { FieldsRead } from "../../../src/source/fields/field-watch.js";
import { openInputs } from "../../../src/source/inputs.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { collect } from "../support.js";

const newPath = temporaryPaths();

const MAPPING = `name: acme
title: Acme
pages: [https://acme.example.com]
recognize: [[acmeId, locked]]
id: acmeId
email: ["contacts[?kind=='email'].value | [0]", mail]
phones:
  - { from: phon, verified: true }
  - { from: desk, verified: false }
  - { from: mobiles, verified: true }
hash: pw
flags:
  locked: { is: until }
  upper(state): { values: { OPEN: in, HELD: disabled } }
metadata: { nickname: nick, team: team.name }
`;
const USERS = [
  {
    acmeId: "1",
    mail: "ann@example.com",
    locked: 0,
    state: "open",
    nick: "Ann",
    desk: "+41446681800",
    mobiles: ["+41791234567"],
  },
  { acmeId: "2", mail: "b@example.com", contacts: [{ kind: "email", value: "bo@example.com" }] },
  { acmeId: "3", locked: "", state: 7, contacts: [] },
];

async function fieldsOf(tellsPaths: boolean): Promise<FieldsRead> {
  const [mapping, file] = [newPath("acme.yaml"), newPath("users.json")];
  writeFileSync(mapping, MAPPING);
  writeFileSync(file, JSON.stringify(USERS));
  const [input] = await openInputs([file], { mapping });
  const told: FieldsRead[] = [];
  if (input === undefined) throw new Error("no input was opened");
  await collect(input.read({ tellsPaths, onFields: (read) => void told.push(read) }));
  const [read] = told;
  if (read === undefined) throw new Error("no fields were told");
  return read;
}

test("each path of a mapping is told with the users that it gave something of, a misspelled one with none", async () => {
  const fields = vendorFields(await fieldsOf(true), NOTHING_CARRIED);
  expect(fields.map(({ path, rows, is }) => [path, rows, is])).toEqual([
    ["acmeId", 3, "id"],
    ["contacts[?kind=='email'].value | [0]", 1, "email"],
    ["mail", 1, "email"],
    ["phon", 0, "phone"],
    ["desk", 1, "phone"],
    ["mobiles", 1, "phone"],
    ["pw", 0, "hash"],
    ["locked", 1, "flag"],
    ["upper(state)", 1, "flag"],
    ["nick", 1, "metadata"],
    ["team.name", 0, "metadata"],
  ]);
});

test("paths are counted only where that is asked for", async () => {
  const read = await fieldsOf(false);
  expect(read.paths).toBeUndefined();
  expect(read.known.map(({ path }) => path)).not.toContain("team.name");
});
