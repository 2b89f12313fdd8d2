/** The metadata of an account: what is kept of a field, and under which name. */

import type { AccountParts } from "../../account/account-parts.js";
import { isObject } from "../json/json-value.js";
import { remembering } from "../remembering.js";
import { isClaim } from "./field-table.js";
import { childOf, type FieldNode, hasBelow } from "./field-tree.js";
import { isFilled, setOwn } from "./field-values.js";

/** A field that is metadata. */
interface Kept {
  readonly value: unknown;
  /** What the table of fields calls it in the metadata. */
  readonly target: string;
  readonly node: FieldNode;
  /** Its own name. */
  readonly name: string;
}

/**
 * Puts a field into the metadata. A claim of a person is a text; a list of one is what it holds.
 *
 * @returns false where it can't be kept
 */
export function keep(
  metadata: Record<string, unknown>,
  { value, target, node, name }: Kept,
): boolean {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const isOfPerson = isClaim(target);
  const isAddress = target === "address" && typeof only === "object";
  const isNoClaim = isOfPerson && !isAddress && typeof only !== "string";
  if (isNoClaim || (node.isJson && !isObject(value))) return false;
  const kept = isOfPerson ? only : named(value, node);
  put(metadata, target.includes("*") ? [name] : stepsOf(target), kept);
  return true;
}

/** The most names of metadata that are taken apart once: a table has few. */
const MOST_TARGETS = 1000;

const stepsOf = remembering((target: string) => target.split("."), MOST_TARGETS);

/** The value without what the table says is no metadata. */
function named(value: unknown, node: FieldNode): unknown {
  if (!isObject(value) || !hasBelow(node)) return value;
  const own = Object.entries(value).filter(([name]) => {
    const fate = childOf(node, name)?.fate;
    return fate === undefined || fate === null || (fate.kind === "part" && fate.is === "metadata");
  });
  return Object.fromEntries(own);
}

/** Puts a value where nothing stands yet. @param at the step from which on the path leads on from `into` */
function put(
  into: Record<string, unknown>,
  steps: readonly string[],
  value: unknown,
  at = 0,
): void {
  const name = steps[at] ?? "";
  const known = Object.hasOwn(into, name) ? into[name] : undefined;
  if (at + 1 < steps.length) {
    const inner = isObject(known) ? { ...known } : {};
    put(inner, steps, value, at + 1);
    setOwn(into, name, inner);
  } else if (known === undefined && isFilled(value)) setOwn(into, name, value);
}

/** The counterpart's dashboard shows names as `first_name` and `last_name`. */
export function withNames(metadata: Record<string, unknown>): AccountParts["metadata"] {
  const { given_name, family_name } = metadata;
  if (given_name !== undefined) metadata.first_name ??= given_name;
  if (family_name !== undefined) metadata.last_name ??= family_name;
  return metadata;
}
