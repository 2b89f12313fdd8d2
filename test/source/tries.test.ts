import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { collect } from "./support.js";

const newPath = temporaryPaths();
const HASH = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const json = (value: unknown): string => JSON.stringify(value);

/** Shapes of systems that no source is made for: the file, the one option more, if any, and who is kept out. */
const SHAPES: readonly (readonly [string, string, string, Record<string, string>])[] = [
  [
    "JHipster's table",
    "users.csv",
    `id;login;password_hash;first_name;email;activated;lang_key\n1;ann;${HASH};Ann;ann@example.com;true;en\n2;bob;${HASH};Bob;bob@example.com;false;en\n`,
    {},
  ],
  [
    "a table of Passport's",
    "users.csv",
    `id,email,hashed_password,blocked_at\n1,ann@example.com,${HASH},\n2,bob@example.com,${HASH},2024-01-02\n`,
    {},
  ],
  [
    "ForgeRock's managed users",
    "users.json",
    json({
      result: [
        { _id: "1", mail: "ann@example.com", accountStatus: "active", userName: "ann" },
        { _id: "2", mail: "bob@example.com", accountStatus: "inactive", userName: "bob" },
      ],
    }),
    {},
  ],
  [
    "Frontegg's users",
    "users.json",
    json([
      { id: "1", email: "ann@example.com", verified: true, isLocked: false },
      { id: "2", email: "bob@example.com", verified: true, isLocked: true },
    ]),
    {},
  ],
  [
    "Ghost's export",
    "ghost.json",
    json({
      db: [
        {
          meta: { version: "5" },
          data: {
            posts: [],
            users: [
              { id: "1", name: "Ann", email: "ann@example.com", password: HASH, status: "active" },
              { id: "2", name: "Bob", email: "bob@example.com", password: HASH, status: "locked" },
            ],
          },
        },
      ],
    }),
    { users: "db[].data.users" },
  ],
  [
    "a state in numbers, where 1 is banned",
    "users.csv",
    `id,email,password,status\n1,ann@example.com,${HASH},0\n2,bob@example.com,${HASH},1\n`,
    { disabled: "status=1" },
  ],
  [
    "users three lists deep",
    "users.json",
    json({
      data: {
        orgs: [
          {
            id: "o",
            members: [
              { uid: "1", mail: "ann@example.com", suspended: false },
              { uid: "2", mail: "bob@example.com", suspended: true },
            ],
          },
        ],
      },
    }),
    { users: "data.orgs[].members" },
  ],
];

test.each(SHAPES)("%s is read with one more option at most", async (_what, name, text, map) => {
  const path = newPath(name);
  writeFileSync(path, text);
  const from = Object.keys(map).length === 0 ? {} : { from: name.replace(/^.*\./, "") };
  const [input] = await openInputs([path], { ...from, map: new Map(Object.entries(map)) });
  const items = await collect(input!.read({}));
  expect(items.map(({ kind }) => kind)).toEqual(["record", "record"]);
  const told = items.flatMap((item) =>
    item.kind === "record" ? [[item.record.email?.value, item.record.exclusions]] : [],
  );
  expect(told).toEqual([
    ["ann@example.com", []],
    ["bob@example.com", ["disabled"]],
  ]);
});
