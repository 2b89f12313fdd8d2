/** Follows a reading through its source's table of fields: which notices a user's fields make, how many rows fill each field, and which fields the table doesn't name. It keeps no value. */

import type { KeptParts } from "../../account/account-parts.js";
import type { UserDraft } from "../../account/user-draft.js";
import { remembering } from "../remembering.js";
import { RowDamage } from "../row-damage.js";
import { AccountReader } from "./account-reader.js";
import type { Fate } from "./field-table.js";
import { childOf, ELEMENT, type FieldNode, type FieldTree, hasBelow } from "./field-tree.js";
import { isFilled, isNo, objectOf } from "./field-values.js";

/** The codes by which the filled fields of a user are told. */
export type Told = ReadonlySet<string>;

/** What kind of value a field holds. */
type ValueType = "text" | "number" | "flag" | "object" | "list" | typeof KIND | typeof BESIDE;

/** Stands for the objects of a kind that isn't read. */
export const KIND = "kind of object";
/** Stands for the objects of a list beside the users that isn't read. */
export const BESIDE = "list beside the users";

/** An expression of a mapping, and how many rows it gave something of. */
export interface PathRead {
  /** What it is read as: `email`, `hash`, `flag`, … */
  readonly is: string;
  readonly path: string;
  readonly rows: number;
}

/** The fields of an input that was read. No values. */
export interface FieldsRead {
  readonly rows: number;
  /** The paths that are read of a mapping of one's own, where they are asked for; then `known` has fields that no row fills, too. */
  readonly paths?: readonly PathRead[];
  /** Those of the table that some row fills. */
  readonly known: readonly { readonly path: string; readonly rows: number; readonly fate: Fate }[];
  /** Those that the table doesn't name. */
  readonly unknown: readonly UnknownField[];
  /** There are more of these than are listed. */
  readonly more: boolean;
  /** No row has a field that would say whom the vendor keeps out. */
  readonly lacksBans: boolean;
}

/** A field that a source's table doesn't name. */
interface UnknownField {
  readonly path: string;
  readonly rows: number;
  readonly types: readonly ValueType[];
}

/** The most unknown fields that are listed: an object may have ids for names. */
const MAX_UNKNOWN = 500;

/** Most users have one of a few sets of codes. */
const MAX_TOLD = 10_000;

/** How users are followed. */
interface WatchOptions {
  /** Epoch milliseconds, after which no user can have joined. */
  readonly now: number;
  /** Which of the account's other parts users can be asked for; none by default. */
  readonly keepsAccount?: KeptParts | null;
  /** What a mapping's paths have read; absent where that isn't asked for. */
  readonly paths?: (() => readonly PathRead[]) | undefined;
  /** Fields of which some user of a file has one, where it says whom the vendor keeps out; none by default. */
  readonly bans?: readonly string[];
}

/** A reading's counts of the fields of one input. */
export class FieldWatch {
  readonly #tree: FieldTree;
  readonly #counts: Uint32Array;
  /** The last row that filled each field. */
  readonly #last: Uint32Array;
  readonly #unknown = new Map<string, { last: number; rows: number; types: Set<ValueType> }>();
  /** The codes that bits stand for. */
  readonly #told: (bits: number) => Told;
  readonly #beside = new Map<string, number>();
  #more = false;
  readonly #keepsAccount: KeptParts | null;
  readonly #now: number;
  readonly #paths: WatchOptions["paths"];
  readonly #bans: readonly string[];
  #lacksBans: boolean;
  #rows = 0;
  #bits = 0;
  /** Those of fields that belong to no part of the account. */
  #staying = 0;

  constructor(tree: FieldTree, { now, keepsAccount = null, paths, bans = [] }: WatchOptions) {
    this.#bans = bans;
    this.#lacksBans = bans.length > 0;
    this.#tree = tree;
    const { codes } = tree.places;
    this.#told = remembering(
      (bits) => new Set(codes.filter((_code, index) => (bits & (1 << index)) !== 0)),
      MAX_TOLD,
    );
    this.#keepsAccount = keepsAccount;
    this.#now = now;
    this.#paths = paths;
    this.#counts = new Uint32Array(tree.places.nodes.length);
    this.#last = new Uint32Array(tree.places.nodes.length);
  }

  /**
   * Reads users: objects of JSON, and rows by the view of them.
   *
   * @param read makes the draft of a user with the codes that tell its fields
   * @param view gives a user under the names of the table, where the value has others
   */
  users<Value extends object>(
    read: (user: object, told: Told, value: Value) => UserDraft | RowDamage,
    view: (value: Value) => object = (value) => value,
  ): (value: Value) => UserDraft | RowDamage {
    return (value) => {
      const user = view(value);
      if (this.#lacksBans)
        this.#lacksBans = !this.#bans.some((name) => name in user || name in value);
      this.#rows += 1;
      this.#bits = 0;
      this.#staying = 0;
      this.#walk(user, this.#tree.places.root);
      const draft = read(user, this.#told(this.#bits), value);
      const [now, keepsAccount] = [this.#now, this.#keepsAccount];
      if (keepsAccount === null || draft instanceof RowDamage) return draft;
      const stays = [...this.#told(this.#staying)];
      const account = () => new AccountReader({ now, keepsAccount }).read(user, this.#tree, stays);
      return Object.assign(draft, { account });
    };
  }

  /** Notes an object of a kind that isn't read. */
  noteKind(kind: string): void {
    this.#rows += 1;
    this.#unnamed(KIND, kind);
  }

  /** Notes an object of a list beside the users that isn't read: it is no row. */
  noteList(list: string): void {
    const known = this.#beside.get(list) ?? 0;
    if (known > 0 || this.#beside.size < MAX_UNKNOWN) this.#beside.set(list, known + 1);
  }

  result(): FieldsRead {
    const paths = this.#paths?.();
    const known = this.#tree.places.nodes.flatMap(({ path, fate, index }) => {
      const rows = this.#counts[index] ?? 0;
      const isTold = rows > 0 || paths !== undefined;
      return fate !== null && isTold ? [{ path, rows, fate }] : [];
    });
    const fields = [...this.#unknown].map(([path, { rows, types }]) => ({
      path,
      rows,
      types: [...types],
    }));
    const lists = [...this.#beside].map(([path, rows]) => ({
      path,
      rows,
      types: [BESIDE] as const,
    }));
    const unknown = [...fields, ...lists];
    const lacksBans = this.#lacksBans && this.#rows > 0;
    const read = { rows: this.#rows, known, unknown, more: this.#more, lacksBans };
    return paths === undefined ? read : { ...read, paths };
  }

  #walk(value: object, node: FieldNode): void {
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      const held: unknown = Reflect.get(value, key);
      const name = isList ? ELEMENT : key;
      if (isFilled(held)) this.#field(held, childOf(node, name), node, name);
    }
  }

  #field(value: unknown, node: FieldNode | null, parent: FieldNode, name: string): void {
    const { cover } = node ?? parent;
    const inner = node !== null && hasBelow(node) ? objectOf(value, node) : null;
    if (node !== null && inner !== null) this.#walk(inner, node);
    else if (cover === null) this.#note(value, parent, name);
    else this.#count(value, cover);
  }

  #count(value: unknown, { index, bit, fate }: FieldNode): void {
    const isPart = fate?.kind === "part";
    if (bit !== 0 && (isPart || !isNo(value))) {
      this.#bits |= bit;
      // A mark of a factor says nothing of its own: the parts tell whether one is lost.
      if (fate?.kind === "told") this.#staying |= bit;
    }
    if (this.#last[index] === this.#rows) return;
    this.#last[index] = this.#rows;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** Notes a field that the table doesn't name. */
  #note(value: unknown, parent: FieldNode, name: string): void {
    if (!isNo(value)) {
      this.#bits |= 1;
      this.#staying |= 1;
    }
    const between = parent.path === "" || name === ELEMENT ? "" : ".";
    this.#unnamed(typeOf(value), `${parent.path}${between}${name}`);
  }

  #unnamed(type: ValueType, path: string): void {
    const known = this.#unknown.get(path);
    if (known === undefined && this.#unknown.size >= MAX_UNKNOWN) {
      this.#more = true;
      return;
    }
    const seen = known ?? { last: 0, rows: 0, types: new Set<ValueType>() };
    this.#unknown.set(path, seen);
    if (seen.last !== this.#rows) seen.rows += 1;
    seen.last = this.#rows;
    seen.types.add(type);
  }
}

function typeOf(value: unknown): ValueType {
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  if (type === "object" || type === "number") return type;
  return type === "boolean" ? "flag" : "text";
}
