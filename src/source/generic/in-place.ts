/** Names that mean something of their own where others stand beside them: parts of addresses, columns of systems that are known by the others. */

import type { Exclusion } from "../../account/user-record.js";
import { type Meaning, meaningOf, plainName } from "./field-names.js";
import { wordsAs } from "../word-lists.js";

/** Names beside which `state` is a part of an address. */
const OF_ADDRESS: ReadonlySet<string> = new Set(
  "city town zip zipcode postalcode postcode postal street country address address1 addressline1 countrycode ort plz ville ciudad".split(
    " ",
  ),
);
const STATES: ReadonlySet<string> = new Set(["state", "estado", "stato", "etat"]);

/** Names that mean something of their own where all others of a row are there, too. */
const TOGETHER: readonly {
  readonly all: readonly string[];
  readonly mean: readonly (readonly [string, Meaning])[];
}[] = [
  // wp_users.user_status is 0 for all users; 1 once was a spammer. Elsewhere a number is no answer.
  // https://core.trac.wordpress.org/ticket/34316
  {
    all: ["userlogin", "userpass"],
    mean: wordsAs<Meaning>("userstatus", {
      kind: "exclusion",
      flag: "yes",
      exclusion: "disabled",
      group: "state",
    }),
  },
  // phpBB's columns without its names in small letters, or another system's like them.
  {
    all: ["usertype", "useremail", "userpassword"],
    mean: [["usertype", { kind: "unclear", about: "code" }]],
  },
  // Sorts and groups of accounts in numbers, as these systems' own sources have them.
  // phpBB includes/constants.php: USER_INACTIVE 1, USER_IGNORE 2 (bots and guests).
  sortsOf("usertype", "usernameclean", { disabled: "1", service_account: "2" }, "0 3"),
  // Gitea models/user/user.go: UserTypeIndividual 0, organizations 1 and 3, reserved 2, bots 4.
  sortsOf("type", "lowername", { disabled: "2", service_account: "1 3 4" }, "0"),
  // GitLab app/models/concerns/has_user_type.rb: all but a human are programs, ghosts and placeholders.
  sortsOf(
    "usertype",
    "projectslimit",
    { service_account: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 17" },
    "0",
  ),
  // MyBB's and vBulletin's own groups: guests, who waits for an activation or an approval, banned.
  sortsOf("usergroup", "loginkey", { anonymous: "1", disabled: "5 7" }),
  sortsOf("usergroupid", "membergroupids", { anonymous: "1", disabled: "3 4 8" }),
  // Appwrite calls the algorithm `hash`; the hash is its `password` (appwrite.io/docs/models/user).
  {
    all: ["hash", "hashoptions", "password"],
    mean: [
      ["hash", { kind: "part", name: "hash" }],
      ["hashoptions", { kind: "part", name: "hashOptions" }],
    ],
  },
];

/** {@link meaningOf} among the names that stand beside it. */
export function inPlace(names: readonly string[]): (name: string) => Meaning {
  const plain = new Set(names.map(plainName));
  const own = new Map(
    TOGETHER.filter(({ all }) => all.every((name) => plain.has(name))).flatMap(({ mean }) => mean),
  );
  if ([...plain].some((name) => OF_ADDRESS.has(name))) {
    for (const name of STATES) own.set(name, { kind: "unclear", about: "state" });
  }
  return (name) => own.get(plainName(name)) ?? meaningOf(name);
}

/**
 * A column of numbers of which some keep out, known by another column that stands beside it.
 *
 * @param inside the numbers that let in; without them all others do
 */
function sortsOf(
  name: string,
  beside: string,
  out: Readonly<Partial<Record<Exclusion, string>>>,
  inside?: string,
): (typeof TOGETHER)[number] {
  const values = new Map<string, readonly Exclusion[]>([
    ...Object.entries(out).flatMap(([exclusion, words]) =>
      wordsAs<readonly Exclusion[]>(words, [exclusion as Exclusion]),
    ),
    ...wordsAs<readonly Exclusion[]>(inside ?? "", []),
  ]);
  const rest = inside === undefined ? { rest: [] } : {};
  const said = { kind: "exclusion", flag: "word", exclusion: "disabled", group: "sort" } as const;
  return { all: [name, beside], mean: [[name, { ...said, values, ...rest }]] };
}
