import { expect, it } from "vitest";
import type { RowEvent } from "../../src/events/events.js";
import { RefusalGroups, rowList } from "../../src/report/refusal-groups.js";

function event(type: RowEvent["type"], code: string, number: number): RowEvent {
  return {
    type,
    row: { file: "users.csv", number },
    sourceId: null,
    code,
    hint: `${code}, ${number}`,
  };
}

it("groups a million rejects of one kind into one, with its first rows and a few of their hints", () => {
  const groups = new RefusalGroups();
  for (let row = 1; row <= 1_000_000; row += 1) groups.add(event("reject", "bcrypt_length", row));
  expect(groups.list()).toEqual([
    {
      type: "reject",
      code: "bcrypt_length",
      hint: "bcrypt_length, 1 / 2 / 3 / …",
      count: 1_000_000,
      examples: [1, 2, 3].map((number) => ({ file: "users.csv", number })),
    },
  ]);
});

it("lists failures, then rejects, then skips, the largest group of each first", () => {
  const groups = new RefusalGroups();
  const events = [
    event("skip", "disabled", 1),
    event("reject", "no_contact", 2),
    event("reject", "pbkdf2", 3),
    event("reject", "pbkdf2", 4),
    event("failure", "core_busy", 5),
  ];
  for (const each of events) groups.add(each);
  expect(groups.list().map(({ type, code, count }) => [type, code, count])).toEqual([
    ["failure", "core_busy", 1],
    ["reject", "pbkdf2", 2],
    ["reject", "no_contact", 1],
    ["skip", "disabled", 1],
  ]);
});

it("says the same of the same users, in whichever order their calls end", () => {
  const codes = ["core_busy", "core_broken", "core_broken"];
  const events = codes.flatMap((code, kind) =>
    [1, 2, 3, 4, 5, 6].map((number) => ({
      ...event("failure", code, 10 * kind + number),
      hint: `at ${Math.ceil(number / 2)}${kind === 0 ? "" : kind * number}`,
    })),
  );
  const listed = (all: readonly RowEvent[]) => {
    const groups = new RefusalGroups();
    for (const one of [...all, event("failure", "core_absent", 99)]) groups.add(one);
    return groups.list();
  };
  const first = listed(events);
  expect(first.map(({ code, hint }) => [code, hint])).toEqual([
    ["core_broken", "at 11 / 12 / 23 / …"],
    ["core_busy", "at 1 / 2 / 3"],
    ["core_absent", "core_absent, 99"],
  ]);
  for (let turn = 1; turn < events.length; turn += 1) {
    const turned = [...events.slice(turn), ...events.slice(0, turn)];
    expect(listed(turned)).toEqual(first);
    expect(listed(turned.reverse())).toEqual(first);
  }
  // Alike in number, they stand by their first rows; two of one row by code.
  const others = [
    event("skip", "left", 1),
    event("skip", "deleted", 2),
    event("skip", "banned", 2),
  ];
  for (const all of [others, others.toReversed()]) {
    const codes = listed(all).map(({ code }) => code);
    expect(codes).toEqual(["core_absent", "left", "banned", "deleted"]);
  }
});

it.each([
  [["a.csv 7"], 1, "a.csv, row 7"],
  [["a.csv 7", "a.csv 9"], 2, "a.csv, rows 7, 9"],
  [["a.csv 7", "b.csv 2"], 2, "a.csv, row 7; b.csv, row 2"],
  [["a.csv 7"], 300, "a.csv, rows 7, …"],
] as const)("names %j of %i", (rows, total, expected) => {
  const examples = rows.map((row) => {
    const [file = "", number] = row.split(" ");
    return { file, number: Number(number) };
  });
  expect(rowList(examples, total)).toBe(expected);
});

it("keeps one code apart under two types", () => {
  const groups = new RefusalGroups();
  groups.add(event("skip", "deleted", 1));
  groups.add(event("reject", "deleted", 2));
  expect(groups.list()).toHaveLength(2);
});

it("is empty where nobody was refused", () => {
  expect(new RefusalGroups().list()).toEqual([]);
});

it.each([
  [["state says gone. Out.", "state says banned. Out."], "state says gone / banned. Out."],
  [
    ["no such role", "no such role", "bad hash", "no tenant"],
    "no such role / bad hash / no tenant",
  ],
  [["Left out.", "Left out. Also gone."], "Left out. Also gone. / …"],
  [["Left out; mend it.", "mend it."], "Left out; mend / mend it."],
  [["a is für b", "a is nür b"], "a is für / nür b"],
  [["See 1.", "See 2.", "See 3.", "See 4.", "Gone."], "See 1 / See 2 / See 3 / …."],
])("tells of rows with the hints %j what is true of each of them", (hints, expected) => {
  const groups = new RefusalGroups();
  for (const [at, hint] of hints.entries()) groups.add({ ...event("skip", "out", at + 1), hint });
  expect(groups.list()).toMatchObject([{ hint: expected, count: hints.length }]);
});
