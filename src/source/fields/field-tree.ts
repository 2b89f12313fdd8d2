/** A table of fields compiled into a tree, in which the path of any value is looked up name by name. */

import { codeOf, type Fate, type FieldTable, fieldsOf, UNNAMED } from "./field-table.js";
import { remembering } from "../remembering.js";

/** One place in a source's users. */
export interface FieldNode {
  /** As the table writes it. */
  readonly path: string;
  /** Null for a place that only holds others. */
  fate: Fate | null;
  /** What a value is for which no place below fits: this one's own fate, or that of one above. */
  cover: FieldNode | null;
  /** Counts it; no two places have the same. */
  readonly index: number;
  /** The bit of its code; 0 where it has none. */
  bit: number;
  /** A text here holds a JSON object. */
  isJson: boolean;
  readonly children: Map<string, FieldNode>;
  /** Below it, by their letters alone. */
  readonly loose: Map<string, FieldNode>;
  readonly globs: { readonly fits: Fits; readonly node: FieldNode }[];
  /** The place below it that a name has by its letters or as a glob. */
  readonly like: (name: string) => FieldNode | null;
}

/** A table as a tree. */
export interface FieldTree {
  readonly table: FieldTable;
  /** Found out when they are first asked for: a run needs one vendor's of a dozen. */
  readonly places: Places;
}

/** The places that a table names. */
interface Places {
  readonly root: FieldNode;
  readonly nodes: FieldNode[];
  /** The notices that its fields are told by; a field's bit is that of its place here. */
  readonly codes: readonly string[];
}

/** Names that a place remembers. */
const MAX_MET = 1000;

/** Below a list, every element. */
export const ELEMENT = "[]";

/** The tree of a table. */
export function fieldTree(table: FieldTable): FieldTree {
  let found: Places | null = null;
  return {
    table,
    get places() {
      found ??= placesIn(table);
      return found;
    },
  };
}

/** @throws Error where two fields have one path, which is a table's own fault */
function placesIn(table: FieldTable): Places {
  const nodes: FieldNode[] = [];
  const codes: string[] = [UNNAMED];
  const root = newNode("", nodes);
  for (const { path, fate } of fieldsOf(table)) {
    const node = placeOf(path, root, nodes);
    if (node.fate !== null) throw new Error(`the table has the field ${path} twice`);
    node.fate = fate;
    const code = codeOf(fate);
    if (code === null) continue;
    if (!codes.includes(code)) codes.push(code);
    node.bit = 1 << codes.indexOf(code);
  }
  coverFrom(root, null);
  return { root, nodes, codes };
}

/**
 * Adds a field by the name of its column, or the path of its property, as they stand in a file.
 *
 * @returns false where the place is another field's of a name that was added
 */
export function addField({ places }: FieldTree, column: string, fate: Fate): boolean {
  const { root, nodes } = places;
  let node = root;
  for (const step of stepsIn(column)) {
    const known = node.children.get(step);
    const child = known ?? newNode(`${node.path}${node === root ? "" : "."}${step}`, nodes);
    node.children.set(step, child);
    node = child;
  }
  if (node.fate !== null) return false;
  node.fate = fate;
  node.cover = node;
  return true;
}

/** The place of a property or element below another, null where the table names none. */
export function childOf(node: FieldNode, name: string): FieldNode | null {
  return node.children.get(name) ?? node.like(name);
}

function likeNamed({ loose, globs }: FieldNode, name: string): FieldNode | null {
  const byLetters = loose.size > 0 ? loose.get(lettersOf(name)) : undefined;
  return byLetters ?? globs.find(({ fits }) => fits(name))?.node ?? null;
}

/** The place that a table's column names, as in `identities[0].provider`; null for an unknown one. */
export function placeOfColumn(name: string, { places }: FieldTree): FieldNode | null {
  let node = places.root;
  const own = childOf(node, name);
  if (own !== null) return own;
  for (const step of stepsIn(name)) {
    const child = childOf(node, step);
    if (child === null) break;
    node = child;
  }
  return node.cover;
}

/** A path's names, `[]` and `[0]` among them as names of their own. */
export function stepsIn(path: string): string[] {
  return path.replace(/\[\d*\]/g, `.${ELEMENT}`).split(".");
}

/** Whether any place lies below. */
export function hasBelow({ children, loose, globs }: FieldNode): boolean {
  return children.size + loose.size + globs.length > 0;
}

function placeOf(path: string, root: FieldNode, nodes: FieldNode[]): FieldNode {
  let node = root;
  for (const step of stepsIn(path)) {
    const name = step.replace(/^~|\{\}$/g, "");
    const at = `${node.path}${node === root || name === ELEMENT ? "" : "."}${name}`;
    const known = name.includes("*") ? null : (node.children.get(name) ?? likeNamed(node, name));
    const child = known ?? newNode(at, nodes);
    if (step.startsWith("~")) node.loose.set(lettersOf(name), child);
    else if (name.includes("*")) node.globs.push({ fits: globOf(name), node: child });
    else node.children.set(name, child);
    child.isJson ||= step.endsWith("{}");
    node = child;
  }
  return node;
}

function newNode(path: string, nodes: FieldNode[]): FieldNode {
  const node: FieldNode = {
    path,
    fate: null,
    cover: null,
    index: nodes.length,
    bit: 0,
    isJson: false,
    children: new Map(),
    loose: new Map(),
    globs: [],
    like: remembering((name) => likeNamed(node, name), MAX_MET),
  };
  nodes.push(node);
  return node;
}

function coverFrom(node: FieldNode, above: FieldNode | null): void {
  node.cover = node.fate === null ? above : node;
  const below = [...node.children.values(), ...node.loose.values()];
  for (const child of [...below, ...node.globs.map((glob) => glob.node)]) {
    coverFrom(child, node.cover);
  }
}

/** Whether a name fits a pattern. */
type Fits = (name: string) => boolean;

/**
 * Fits names to a pattern in which `*` stands for any letters. Each part is looked for behind the one
 * before: a regular expression would try every way, and users write names.
 */
export function globOf(pattern: string): Fits {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const part of parts) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

/** A name without its signs and its case. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}
