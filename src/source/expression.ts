/** Expressions that say where a value is in a user: plain paths, and JMESPath for lists (jmespath.org). Each is compiled once. */

import {
  compile,
  type JSONValue,
  register,
  TreeInterpreter,
  TYPE_ARRAY_OBJECT,
  TYPE_OBJECT,
  TYPE_STRING,
} from "@jmespath-community/jmespath";
import { RunError } from "../errors/run-error.js";
import { lettersOf } from "./fields/field-tree.js";
import { base32OfHex } from "./fields/totp.js";
import { valueAt } from "./json/json-value.js";

/** A value's place in every user of a file. */
export interface Expression {
  readonly text: string;
  /** @throws Error where a function of the expression refuses what the user has there */
  readonly read: (user: object) => unknown;
  /** The fields that it looks at, as a table of fields writes them. */
  readonly fields: readonly string[];
}

interface NamedValue {
  readonly name?: JSONValue;
  readonly value?: JSONValue;
  readonly long_value?: JSONValue;
}

/** An object's values by the letters of their names, as lists: `phone_number` is `phoneNumber`. */
register(
  "by_letters",
  ([held]) => {
    const values: Record<string, JSONValue[]> = Object.create(null);
    for (const [name, value] of Object.entries<JSONValue>(Object(held))) {
      const letters = lettersOf(name);
      values[letters] = [...(values[letters] ?? []), value];
    }
    return values;
  },
  [{ types: [TYPE_OBJECT] }],
);

/** Rows of names and values as an object, each name's values in a list; a long one counts before the short. */
register(
  "by_name",
  ([rows]) => {
    const values: Record<string, JSONValue[]> = Object.create(null);
    for (const { name, value, long_value: long } of rows as readonly NamedValue[]) {
      const held = long ?? value ?? null;
      if (typeof name === "string" && held !== null) values[name] = [...(values[name] ?? []), held];
    }
    return values;
  },
  [{ types: [TYPE_ARRAY_OBJECT] }],
);

/** Bytes in hexadecimal as base32, as keys of second factors are written; empty where they are none. */
register("base32_of_hex", ([held]) => base32OfHex(held), [{ types: [TYPE_STRING] }]);

/** Signs of JMESPath that no plain name has. */
const SIGNS = /[[\]|&?*@`'"(){}<>=!]/;

/** Whether a text is more than a plain path, such as `profile.email`, `$id` or `User Id`. */
export function isExpression(text: string): boolean {
  return SIGNS.test(text);
}

/** @throws RunError `mapping_invalid` */
export function compileExpression(text: string): Expression {
  const steps = text.split(".");
  if (!isExpression(text)) {
    return { text, read: (user) => valueAt(user, text, steps), fields: [text] };
  }
  const tree = parse(text);
  const fields = new Set<string>();
  for (const { path } of placesOf(tree, [HERE], fields)) fields.add(path);
  fields.delete("");
  if (tree.type === "Field") {
    return { text, read: (user) => valueAt(user, tree.name, [tree.name]), fields: [...fields] };
  }
  if (tree.type === "Literal") return { text, read: () => tree.value, fields: [] };
  return {
    text,
    // A user is what JSON.parse gives.
    read: (user) => TreeInterpreter.search(tree, user as JSONValue),
    fields: [...fields],
  };
}

/** Nothing where a function of the expression refuses what the user has there. */
export function readOrNull({ read }: Pick<Expression, "read">, user: object): unknown {
  try {
    return read(user);
  } catch {
    return null;
  }
}

type Tree = ReturnType<typeof compile>;

function parse(text: string): Tree {
  try {
    // A literal without quotation marks, as the AWS command line takes it.
    return compile(text, { enable_legacy_literals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new RunError("mapping_invalid", `The expression ${text} can't be read: ${reason}`, {
      hint: "Write a plain path such as profile.email, or JMESPath (jmespath.org/tutorial.html); a name with other signs than letters, digits and _ stands in double quotation marks there.",
    });
  }
}

/** What a part of an expression looks at. */
interface Place {
  readonly path: string;
  /** Each of several elements already. */
  readonly isEach: boolean;
}

const HERE: Place = { path: "", isEach: false };

/**
 * The places that an expression's value comes from.
 *
 * @param at what the expression is applied to
 * @param seen gets the fields that conditions and arguments look at
 */
function placesOf(tree: Tree, at: readonly Place[], seen: Set<string>): readonly Place[] {
  const lookAt = (part: Tree, from = at): void => {
    for (const { path } of placesOf(part, from, seen)) seen.add(path);
  };
  switch (tree.type) {
    case "Field":
      return at.map(({ path, isEach }) => ({ path: below(path, tree.name), isEach }));
    case "Index":
      return at.map(({ path, isEach }) => ({ path: isEach ? path : `${path}[]`, isEach: false }));
    case "Flatten":
      return elementsOf(placesOf(tree.child, at, seen), "always");
    case "Projection":
    case "FilterProjection": {
      const each = elementsOf(placesOf(tree.left, at, seen));
      if (tree.type === "FilterProjection") lookAt(tree.condition, each);
      return placesOf(tree.right, each, seen);
    }
    case "ValueProjection": {
      const all = placesOf(tree.left, at, seen);
      const each = all.map(({ path }) => ({ path: below(path, "*"), isEach: true }));
      return placesOf(tree.right, each, seen);
    }
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return placesOf(tree.right, placesOf(tree.left, at, seen), seen);
    case "OrExpression":
    case "AndExpression":
      return [tree.left, tree.right].flatMap((part) => placesOf(part, at, seen));
    case "Comparator":
      lookAt(tree.left);
      lookAt(tree.right);
      return [];
    case "NotExpression":
    case "ExpressionReference":
      lookAt(tree.child);
      return [];
    case "Function":
    case "MultiSelectList":
      return tree.children.flatMap((part) => placesOf(part, at, seen));
    case "MultiSelectHash":
      return tree.children.flatMap(({ value }) => placesOf(value, at, seen));
    case "LetExpression":
      for (const { reference } of tree.bindings) lookAt(reference);
      return placesOf(tree.expression, at, seen);
    case "Identity":
    case "Current":
    case "Slice":
      return at;
    case "Root":
      return [HERE];
    case "Literal":
    case "Variable":
      return [];
    default:
      throw new RunError("mapping_invalid", `An expression may not hold ${tree.type}`, {
        hint: "Write paths, filters, indexes, || and functions.",
      });
  }
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function elementsOf(places: readonly Place[], when: "always" | "once" = "once"): readonly Place[] {
  return places.map(({ path, isEach }) => ({
    path: isEach && when === "once" ? path : `${path}[]`,
    isEach: true,
  }));
}
