/** Which files have the users, and what their columns are where their names don't say it. */

import { requireCountry } from "../../account/build-record.js";
import { RunError, sentence } from "../../errors/run-error.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { count, grouped, sum } from "../../report/text.js";
import type { GivenMap } from "../../source/generic/field-map.js";
import { showName } from "../../source/show-name.js";
import { pairsOf } from "../options/reading.js";
import { attempt, namedFile, type Question, type Talk } from "./asker.js";
import {
  type Column,
  columnChoices,
  columnsOf,
  fieldChoices,
  isByValue,
  isNamed,
  standsForYes,
  TYPED,
  withPair,
} from "./columns.js";
import { askForValues, MOST_VALUES, valuesText } from "./flag-values.js";
import { type FirstLook, type LookOptions, lookAt } from "./first-look.js";
import { again, isSettled } from "./setup-options.js";
import type { Step } from "./steps.js";

const WHICH: Question = { kind: "text", message: "Which file has the users?" };
const WHICH_ELSE: Question = { kind: "text", message: "Which file (or back)?" };

const NEXT = [
  { value: "done", label: "Go on with this" },
  { value: "column", label: "Say what a column is" },
  { value: "add", label: "Add another file" },
  { value: "again", label: "Take another file instead" },
] as const;

/** Files that were looked at, with what was said of their columns. */
interface Read {
  readonly files: readonly string[];
  readonly map: GivenMap;
  /** Why they can't be read before one of the columns is said. */
  readonly look: FirstLook | { readonly error: RunError; readonly columns: readonly Column[] };
}

export const FILES: Step = {
  option: "the export's files",
  isGiven: ({ files }) => files.length > 0,
  async take(known, talk) {
    let { reading } = known;
    const { map } = reading;
    const read = (files: readonly string[], said: GivenMap = map): Promise<Read> =>
      readFiles(files, { ...reading, map: said }, talk.canAsk);
    const ask = (
      files: readonly string[],
      said: GivenMap,
      question: Question = WHICH_ELSE,
    ): Promise<Read> =>
      talk.ask(question, (answer) =>
        read([...files, namedFile(answer, question === WHICH ? "" : ", or back")], said),
      );
    const asked = new Set<string>();
    let isAsked = known.files.length === 0;
    let last = isAsked ? await ask([], map, WHICH) : await talk.once(() => read(known.files));
    for (;;) {
      const { files, look } = last;
      if ("error" in look) {
        // What its hint has of options is asked below.
        talk.warn(`${sentence(look.error.message)} Say what its columns hold:`);
        last = await sayColumn(last, look.columns, read, talk);
        continue;
      }
      talk.found(look.lines.join("\n"));
      if (talk.canAsk) {
        const said = await askForValues(look.unread, last.map, asked, talk);
        // Rows that waited for an answer count from now on.
        const isSaid = said !== last.map;
        const country = isSaid ? null : await askForCountry(look, reading, asked, talk);
        if (country !== null) reading = { ...reading, defaultCountry: country };
        if (isSaid || country !== null) {
          last = await talk.once(() => read(files, said));
          continue;
        }
      }
      const done = { ...known, reading: { ...reading, map: last.map }, files, look };
      const isOwn = look.inputs.some(({ source }) => source.generic);
      const isTaken = !isAsked && (isSettled(known.values) || !isOwn);
      if (!talk.canAsk || isTaken) return done;
      const choices = NEXT.filter(({ value }) => isOwn || value !== "column");
      const next = await talk.ask(
        { kind: "choose", message: "Is that the export?", choices },
        String,
      );
      if (next === "done") return done;
      if (next === "column") {
        const columns = await columnsOf(files, reading.encoding ?? null);
        last = await sayColumn(last, columns, read, talk);
      } else {
        last = await ask(next === "again" ? [] : files, last.map);
        isAsked = true;
      }
    }
  },
  /** What an import has to be told again; the core and the parameters are put in beside it. */
  writes({ values, reading: { map, defaultCountry } }) {
    const { allowHash, onLostFactor, hashConfig: _ownStep, ...others } = values;
    const given = {
      ...others,
      map: pairsOf(map),
      defaultCountry: defaultCountry ?? undefined,
      allowHash: allowHash.flat(),
      onLostFactor: onLostFactor === DEFAULT_POLICY.onLostFactor ? undefined : onLostFactor,
    };
    const entries = Object.entries(given).filter(([name, value]) => {
      const isLeftOut = value === undefined || value === false || String(value) === "";
      return !isLeftOut && name in again;
    });
    return Object.fromEntries(entries);
  },
};

const COUNTRY = "--default-country";
/** What a phone's user is told or rejected by whose country nothing says. */
const NO_COUNTRY = "phone_country_missing";

/** Phones without a + are of a country that their vendor knew. @returns null where none is said */
async function askForCountry(
  { summary: { notices, rejects, ready } }: FirstLook,
  { defaultCountry = null }: LookOptions,
  asked: Set<string>,
  talk: Talk,
): Promise<string | null> {
  const { [NO_COUNTRY]: withoutContact = 0 } = rejects;
  const countryless = (notices[NO_COUNTRY] ?? 0) + withoutContact;
  if (countryless === 0 || defaultCountry !== null || asked.has(COUNTRY)) return null;
  asked.add(COUNTRY);
  talk.warn(
    `${grouped(countryless)} of the ${count(sum(ready) + withoutContact, "user")} looked at who would go along ${countryless === 1 ? "has" : "have"} a phone without a + and its country's code. Such a phone stays behind, and who has no email is rejected with it (${NO_COUNTRY}), unless all are of one country: then it is a way in for who has no password.`,
  );
  const message = "Which, in two letters as DE (empty: not of one)?";
  return talk.ask({ kind: "text", message, option: COUNTRY }, (text) =>
    text === "" ? null : requireCountry(text),
  );
}

/** Asks what one of the columns is. */
async function sayColumn(
  { files, map, look }: Read,
  columns: readonly Column[],
  read: (files: readonly string[], map: GivenMap) => Promise<Read>,
  talk: Talk,
): Promise<Read> {
  const say = (pair: string): Promise<Read> => read(files, withPair(map, pair));
  const choices = columnChoices(columns, map, "error" in look ? new Map() : look.readAs);
  const column = await talk.ask(
    { kind: "choose", message: "Of which column do you say what it holds?", choices },
    String,
  );
  if (column === TYPED) {
    const message = "Which field is in which column (disabled=banned)?";
    return talk.ask({ kind: "text", message }, async (pair) =>
      say(pair.replace(/^--map\s+/, "").replace(/^'(.*)'$/, "$1")),
    );
  }
  const picked = columns.find(({ name }) => name === column);
  const fields = fieldChoices(picked, !("error" in look));
  const said = await talk.ask(
    { kind: "choose", message: `What does the column ${showName(column)} hold?`, choices: fields },
    async (field) => (isNamed(field) || isByValue(field) ? field : say(`${field}=${column}`)),
  );
  if (typeof said !== "string") return said;
  if (isNamed(said)) {
    const message = said === "social" ? "Which provider's?" : "By which name is it kept?";
    return talk.ask({ kind: "text", message, initial: column }, async (name) =>
      say(`${said}.${name}=${column}`),
    );
  }
  const values = picked?.values ?? new Map<string, number>();
  if (values.size <= MOST_VALUES)
    talk.say(`Its values at the file's start: ${valuesText(values)}.`);
  const message = `Which value says so (empty: ${standsForYes(said, values)})?`;
  return talk.ask({ kind: "text", message }, async (value) =>
    say(`${said}=${column}${value === "" ? "" : `=${value}`}`),
  );
}

/** Errors that go away with what `--map` says of a column. */
const SAID_BY_MAP: ReadonlySet<string> = new Set([
  "column_unclear",
  "hash_column_unread",
  "input_unrecognized",
]);

/** @returns the columns of which something said would let the files be read; none where nothing would */
async function columnsToSay(
  { code }: RunError,
  files: readonly string[],
  { map = new Map(), encoding = null, from, mapping }: LookOptions,
): Promise<readonly Column[]> {
  const isTable =
    mapping === undefined && (from === undefined || from === "csv" || from === "json");
  // With its contact named, a file that isn't known has another flaw.
  const isKnown = code === "input_unrecognized" && (map.has("email") || map.has("phone"));
  return SAID_BY_MAP.has(code) && isTable && !isKnown ? columnsOf(files, encoding) : [];
}

/**
 * Looks at the files, or says which of their columns has to be said first.
 *
 * @throws RunError as reading does
 */
async function readFiles(
  files: readonly string[],
  options: LookOptions & { readonly map: GivenMap },
  canAsk: boolean,
): Promise<Read> {
  const { map } = options;
  const look = await attempt(() => lookAt(files, options));
  if (!(look instanceof RunError)) return { files, map, look };
  const columns = canAsk ? await columnsToSay(look, files, options) : [];
  if (columns.length === 0) throw look;
  return { files, map, look: { error: look, columns } };
}
