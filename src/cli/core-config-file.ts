/** The text of the core's configuration file, YAML: reading its fields with their lines, and setting the signer key in it. The one place that knows YAML; it says nothing of what a value may be, and shows none. */

import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import { coreConfigInvalid } from "./small-file.js";

/** The fields as they were written: each a text, a list of texts, or an object that no field takes. */
interface CoreConfigFields<Name extends string> {
  readonly fields: Readonly<Partial<Record<Name, string | readonly string[] | object>>>;
  /** The file and the line of a field. */
  readonly lineOf: (field: PropertyKey) => string;
}

/** Every value is the text that was written: a key of digits stays what it is. */
const SCHEMA = { schema: "failsafe", prettyErrors: false } as const;

/** YAML's own errors in words that need no knowledge of its specification. */
const FLAWS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "has a field for the second time",
  TAB_AS_INDENT: "is indented with a tab, where YAML takes spaces alone",
  MULTIPLE_DOCS: "begins a second document, of which nothing would be read",
  MISSING_CHAR: "lacks a quotation mark or bracket that was opened before",
  RESOURCE_EXHAUSTION: "is nested deeper than any field",
  BAD_SCALAR_START: "has a value that needs quotation marks around it",
};

/**
 * Reads the fields; one that was left empty is left out.
 *
 * @param file its name, for messages
 * @param known all known fields; others are refused, because they would be ignored in silence
 * @throws RunError `config_invalid`
 */
export function readFields<Name extends string>(
  file: string,
  text: string,
  known: readonly Name[],
): CoreConfigFields<Name> {
  if (/[\0\uFFFD]/.test(text)) throw coreConfigInvalid(`${file} is no text in UTF-8`);
  const lineCounter = new LineCounter();
  const lineAt = (offset = 0): string => `${file}, line ${lineCounter.linePos(offset).line}`;
  const document = parseDocument(text, { ...SCHEMA, lineCounter });
  const [flaw] = document.errors;
  if (flaw !== undefined) {
    const what = FLAWS[flaw.code] ?? `isn't YAML (${flaw.code})`;
    throw coreConfigInvalid(`${lineAt(flaw.pos[0])} ${what}`);
  }
  requirePlain(document, lineAt);
  const root = document.contents;
  const items = isMap<Node, Node | null>(root) ? root.items : null;
  if (items === null && textsOf(root) !== null) {
    throw coreConfigInvalid(
      `${lineAt(root?.range?.[0])} is no field with a value, as in port: 3567`,
    );
  }
  const fields: Partial<Record<Name, string | readonly string[] | object>> = {};
  const lines = new Map<PropertyKey, string>();
  for (const { key, value } of items ?? []) {
    const line = lineAt(key.range?.[0]);
    const written = isScalar(key) ? String(key.value) : "";
    const name = known.find((each) => each === written);
    // The name is not repeated: it may be a secret that got into the wrong place.
    if (name === undefined) {
      throw coreConfigInvalid(`${line} has a field that isn't one of ${known.join(", ")}`);
    }
    lines.set(name, line);
    const given = textsOf(value);
    if (given !== null) fields[name] = given;
  }
  return { fields, lineOf: (field) => lines.get(field) ?? file };
}

/**
 * The file's text with a field set; everything else in it, comments too, stays.
 *
 * @param text "" for a file that isn't there yet
 * @param without another field, that goes
 */
export function withField(text: string, name: string, value: string, without?: string): string {
  const document = parseDocument(text, SCHEMA);
  if (without !== undefined && document.has(without)) document.delete(without);
  document.set(name, value);
  return document.toString({ lineWidth: 0 });
}

/** Refuses anchors, aliases and tags: a key that begins with `&`, `*` or `!` is none to YAML, and would be lost. */
function requirePlain(document: Document, lineAt: (offset?: number) => string): void {
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    const marked = isAlias(node) || node.anchor !== undefined || node.tag !== undefined;
    if (!marked) return;
    const line = lineAt(node.range?.[0]);
    throw coreConfigInvalid(
      `${line} has an anchor, an alias or a tag; a value that begins with &, * or ! needs quotation marks around it`,
    );
  });
}

function textsOf(node: Node | null): string | string[] | object | null {
  if (node === null) return null;
  if (isScalar(node)) {
    const text = String(node.value).trim();
    return ["", "~", "null"].includes(text) ? null : text;
  }
  if (!isSeq(node)) return {};
  return node.items.map((item) => (isScalar(item) ? String(item.value).trim() : ""));
}
