/** Rejects of JSON as an object a line, whatever the export was, so that a run that is killed leaves whole lines. The reason is a property of its own, which reading takes off before any source sees it. */

import { NOT_MENDED, type RowDamage } from "../row-damage.js";
import type { RawForm } from "./raw-row.js";

/** No vendor's users have such a property. */
export const OURS = "auth_migrate";

/** Whose first object is one of ours: lines, whatever else they look like. */
const OUR_LINES = /^\s*\{\s*"auth_migrate"\s*:/;

/** Our property where this file has put it: at the start. */
const OUR_START = /^\{\s*"auth_migrate"\s*:\s*\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}\s*,?/;

/** What the start of an export has shown of its users' flags, by their paths. */
export interface Learned {
  /** Hold points in time. */
  readonly times: readonly string[];
  /** Are every user's; where a user lacks one, it counts as empty. */
  readonly expected: readonly string[];
}

const NOTHING: Learned = { times: [], expected: [] };

/** Whether a text is the start of a file of rejects. */
export function areOurLines(text: string): boolean {
  return OUR_LINES.test(text);
}

/** Whether it is a file of rejects whose lines are a table's rows. */
export function areOurRows(text: string): boolean {
  return areOurLines(text) && oursOf(text.trimStart()).table === true;
}

/**
 * An object without the property that a file of rejects adds; damage where the row isn't mended
 * yet.
 */
export function withoutReason(value: object): object | RowDamage {
  if (!Object.hasOwn(value, OURS)) return value;
  const ours: unknown = Reflect.get(value, OURS);
  if (typeof ours === "object" && ours !== null && "text" in ours) return NOT_MENDED;
  Reflect.deleteProperty(value, OURS);
  return value;
}

/** What the first line of a file of rejects tells of the whole export that it is from; null for any other file. */
export function learnedFrom(text: string): Learned | null {
  if (!areOurLines(text)) return null;
  const { times, expected } = oursOf(text.trimStart());
  return { times: textsOf(times), expected: textsOf(expected) };
}

/** Where the row of a line stood in the export, as the reason in it says. */
export function originFrom(line: string): string | undefined {
  // Nearly every line is of an export, and this is asked of each.
  if (!line.startsWith(`{"${OURS}":`)) return undefined;
  const { row } = oursOf(line);
  return typeof row === "string" ? row : undefined;
}

/** Our property of a line; empty where it can't be read. */
function oursOf(line: string): Readonly<Record<string, unknown>> {
  const found = OUR_START.exec(line)?.[0] ?? "";
  try {
    return JSON.parse(`${found.replace(/,$/, "")}}`)[OURS];
  } catch {
    return {};
  }
}

/**
 * @param learned what a source has to know of the whole export to read a part of it alike
 * @param isTable whether the lines are a table's rows
 */
export function jsonForm(learned: Learned = NOTHING, isTable = false): RawForm {
  const isKnown = learned.times.length + learned.expected.length > 0;
  const knowledge = { ...(isKnown && learned), ...(isTable && { table: true }) };
  return {
    key: JSON.stringify(["json", knowledge]),
    opening: "",
    write(raw, reason) {
      const line = raw.text.replace(/\s*[\r\n]+\s*/g, " ").trim();
      if (raw.state === "held") return `${line}\n`;
      if (raw.state === "broken") {
        return `${JSON.stringify({ [OURS]: { ...reason, ...knowledge, text: line } })}\n`;
      }
      const rest = line.replace(OUR_START, "{").slice(1);
      const parted = /^\s*\}/.test(rest) ? rest : `,${rest}`;
      return `${JSON.stringify({ [OURS]: { ...reason, ...knowledge } }).slice(0, -1)}${parted}\n`;
    },
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
