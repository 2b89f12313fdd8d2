import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import { openInputs } from "../../src/source/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { collect } from "./support.js";

const newPath = temporaryPaths();
const HASH = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const json = (value: unknown): string => JSON.stringify(value);

/** Shapes of systems that no source is made for: the file, the one option more, if any, and who is kept out. */
const SHAPES: readonly (readonly [string, string, string, Readonly<Record<string, string>>])[] = [
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
    "Hanko's export",
    "users.json",
    json([
      {
        user_id: "1",
        emails: [{ address: "ann@example.com", is_primary: true, is_verified: true }],
        password: { password: HASH, created_at: "2024-01-02T08:30:00Z" },
      },
      {
        user_id: "2",
        emails: [{ address: "bob@example.com", is_primary: true, is_verified: true }],
        password: { password: HASH, created_at: "2024-01-02T08:30:00Z" },
        disabled: true,
      },
    ]),
    {},
  ],
  [
    "a Rails table with has_secure_password",
    "users.csv",
    `id,email,password_digest,confirmed_at,discarded_at,created_at\n1,ann@example.com,${HASH},2024-01-02,,2024-01-02\n2,bob@example.com,${HASH},,2024-01-03,2024-01-02\n`,
    {},
  ],
  [
    "Passport's users of a MongoDB",
    "users.ndjson",
    [
      { _id: { $oid: "65a1" }, local: { email: "ann@example.com", password: HASH } },
      {
        _id: { $oid: "65a2" },
        local: { email: "bob@example.com", password: HASH },
        isBanned: true,
      },
    ]
      .map((user) => `${json(user)}\n`)
      .join(""),
    {},
  ],
  [
    "a hash of a name that no list has",
    "users.csv",
    `id,email,legacy_verifier\n1,ann@example.com,${HASH}\n2,bob@example.com,${HASH}\n`,
    { hash: "legacy_verifier" },
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
    { active: "status=0", disabled: "status=1" },
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

test.each(SHAPES)(
  "%s is read with one more option at most, and one for each number of a state",
  async (_what, name, text, map) => {
    const path = newPath(name);
    writeFileSync(path, text);
    const from = Object.keys(map).length === 0 ? {} : { from: name.replace(/^.*\./, "") };
    const [input] = await openInputs([path], { ...from, map: new Map(Object.entries(map)) });
    const items = await collect(input!.read({}));
    expect(items.map(({ kind }) => kind)).toEqual(["record", "record"]);
    const told = items.flatMap((item) =>
      item.kind === "record"
        ? [[item.record.email?.value, isOut(item.record), hashIn(item.record)]]
        : [],
    );
    const hash = text.includes(HASH) ? HASH : null;
    const isKeptOut = !text.includes("legacy_verifier");
    expect(told).toEqual([
      ["ann@example.com", false, hash],
      ["bob@example.com", isKeptOut, hash],
    ]);
  },
);

function isOut({ exclusions }: UserRecord): boolean {
  return exclusions.length > 0;
}

function hashIn({ hash }: UserRecord): string | null {
  return /\$2b\$[^"]*/.exec(JSON.stringify(hash))?.[0] ?? null;
}

test("a hash that no column's name says stops the run, and the hint is what reads it", async () => {
  const [, name, text] = SHAPES.find(([what]) => what.startsWith("a hash of a name"))!;
  const path = newPath(name);
  writeFileSync(path, text);
  const [input] = await openInputs([path]);
  await expect(collect(input!.read({}))).rejects.toMatchObject({
    code: "hash_column_unread",
    hint: expect.stringContaining("hash=legacy_verifier"),
  });
});
