/** The text of the core's configuration file, YAML: reading its fields with their lines, and adding the signer key to it. The one place that knows YAML; it says nothing of what a value may be. */

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { coreConfigInvalid } from "./core-config-invalid.js";

/** The fields as they were written: each a text, a list of texts, or an object that no field takes. */
export interface CoreConfigFields<Name extends string> {
  readonly fields: Readonly<Partial<Record<Name, string | readonly string[] | object>>>;
  /** Names a field and its line. */
  readonly placeOf: (field: PropertyKey) => string;
}

/** Every value is the text that was written: a key of digits stays what it is. */
const SCHEMA = { schema: "failsafe", prettyErrors: false } as const;

/**
 * Reads the fields; one that was left empty is left out.
 *
 * @param file its name, for messages
 * @param known the fields that there are; others are refused, as they would be ignored in silence
 * @throws RunError `config_invalid`
 */
export function readFields<Name extends string>(
  file: string,
  text: string,
  known: readonly Name[],
): CoreConfigFields<Name> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...SCHEMA, lineCounter });
  const placeAt = (offset = 0): string => `${file}, line ${lineCounter.linePos(offset).line}`;
  const [flaw] = document.errors;
  if (flaw !== undefined) {
    throw coreConfigInvalid(`${placeAt(flaw.pos[0])} isn't YAML (${flaw.code})`);
  }
  const fields: Partial<Record<Name, string | readonly string[] | object>> = {};
  const places = new Map<PropertyKey, string>();
  const root = document.contents;
  if (root !== null && !isMap<Node, Node | null>(root)) {
    throw coreConfigInvalid(
      `${placeAt(root.range?.[0])} is no field with a value, as in port: 3567`,
    );
  }
  for (const { key, value } of root?.items ?? []) {
    const place = placeAt(key.range?.[0]);
    const name = known.find((each) => isScalar(key) && key.value === each);
    if (name === undefined) {
      throw coreConfigInvalid(`${place} has a field that isn't one of ${known.join(", ")}`);
    }
    places.set(name, `${place}: ${name}`);
    const given = textsOf(value);
    if (given !== null) fields[name] = given;
  }
  return { fields, placeOf: (field) => places.get(field) ?? file };
}

/**
 * The file's text with a field set; everything else in it, comments too, stays.
 *
 * @param text "" for a file that isn't there yet
 */
export function withField(text: string, name: string, value: string): string {
  const document = parseDocument(text, SCHEMA);
  document.set(name, value);
  return document.toString({ lineWidth: 0 });
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
