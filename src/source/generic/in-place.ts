/** Names that mean something of their own where others stand beside them: parts of addresses, columns of systems that are known by the others. */

import type { Exclusion } from "../../account/user-record.js";
import { listed, readWords, setOf, type Words, wordsAs } from "../word-lists.js";
import { type Meaning, meaningOf, plainName } from "./field-names.js";

/** A column of numbers of which some keep out, known by another column that stands beside it. */
interface Sorts {
  readonly name: string;
  readonly beside: string;
  readonly out: Words;
  /** The numbers that let in; without them all others do. */
  readonly in?: string;
}

/** What `words/systems.json` has; each row names its source. */
interface Systems {
  /** Names beside which `state` is a part of an address. */
  readonly address: string;
  readonly states: string;
  /** Names that mean something of their own where all others of a row are there, too. */
  readonly together: readonly {
    readonly all: string;
    readonly mean: Readonly<Record<string, Meaning>>;
  }[];
  readonly sorts: readonly Sorts[];
}

const SYSTEMS = readWords<Systems>("systems");
const OF_ADDRESS = setOf(SYSTEMS.address);
const TOGETHER = [
  ...SYSTEMS.together.map(({ all, mean }) => ({ all: listed(all), mean: Object.entries(mean) })),
  ...SYSTEMS.sorts.map(sortsOf),
];

/** {@link meaningOf} among the names that stand beside it. */
export function inPlace(names: readonly string[]): (name: string) => Meaning {
  const plain = new Set(names.map(plainName));
  const own = new Map(
    TOGETHER.filter(({ all }) => all.every((name) => plain.has(name))).flatMap(({ mean }) => mean),
  );
  if ([...plain].some((name) => OF_ADDRESS.has(name))) {
    for (const name of listed(SYSTEMS.states)) own.set(name, { kind: "unclear", about: "state" });
  }
  return (name) => own.get(plainName(name)) ?? meaningOf(name);
}

function sortsOf({ name, beside, out, in: inside }: Sorts) {
  const values = new Map<string, readonly Exclusion[]>([
    ...Object.entries(out).flatMap(([exclusion, words]) =>
      wordsAs<readonly Exclusion[]>(words, [exclusion as Exclusion]),
    ),
    ...wordsAs<readonly Exclusion[]>(inside ?? "", []),
  ]);
  const rest = inside === undefined ? { rest: [] } : {};
  const said = { kind: "exclusion", flag: "word", exclusion: "disabled", group: "sort" } as const;
  const meaning: Meaning = { ...said, values, ...rest };
  return { all: [name, beside], mean: [[name, meaning]] as [string, Meaning][] };
}
