/** Objects beside the users in one file: what they say of users is read, and their fields are none of a user's. */

import type { UserDraft } from "../account/user-draft.js";
import type { FieldTree } from "./fields/field-tree.js";
import type { FieldWatch, Told } from "./fields/field-watch.js";
import type { GivenMap } from "./generic/field-map.js";
import { listOf, type TakesBeside } from "./json/lists-beside.js";
import { guardKinds, takesBeside } from "./kinds.js";
import { rememberingEach } from "./remembering.js";
import { areOurLines } from "./raw/json-form.js";
import type { RowBatch } from "./raw/raw-row.js";
import type { RelatedObject, RowDamage, Seeking } from "./row-damage.js";
import type { FileHead, ReadOptions } from "./source.js";

/** How the objects of one file find each other. */
export interface RelatedReader {
  /** Whether anything is read of an object that is no user. */
  isNamed(object: object): boolean;
  /** The object with what it says; null for one of which nothing is read. */
  read(object: object): RelatedObject | null;
  /** What became of a user, with the keys of the objects that say more of them. */
  seeking(user: object, became: UserDraft | RowDamage): UserDraft | Seeking | RowDamage;
}

/** What a file may hold. */
export interface FileOfObjects {
  /** Lists beside its users. */
  readonly hasLists: boolean;
  /** All users whom its objects name; a file of rejects has some of them. */
  readonly isWhole: boolean;
}

/** Makes the reader of one reading; undefined where no object of the file can say anything. */
export type ReadRelated = (
  options: Pick<ReadOptions, "now" | "keepsAccount">,
  file: FileOfObjects,
) => RelatedReader | undefined;

/** Reads a file's objects, with those of lists beside the users that are taken. */
export type ReadObjects = (takes: TakesBeside) => AsyncIterable<RowBatch<object>>;

interface Form {
  /** Tells users from the other objects of a dump; absent where a file has users alone. */
  readonly isUser?: ((object: object) => boolean) | undefined;
  readonly view?: ((value: object) => object) | undefined;
  readonly related?: ReadRelated | undefined;
  readonly fields: FieldTree;
}

interface Watching extends Pick<ReadOptions, "now" | "keepsAccount"> {
  readonly read: (user: object, told: Told) => UserDraft | RowDamage;
  readonly watched: FieldWatch;
  /** Users at the file's start. */
  readonly samples: readonly object[];
  readonly map: GivenMap;
}

type Read = (value: object) => UserDraft | RowDamage;

/**
 * The users of a file among its other objects.
 *
 * @param users the path of their list
 * @returns the objects, so long as none is of a kind that would have to be read, and what each becomes
 */
export function amongOthers(
  head: FileHead,
  users: string,
  objects: ReadObjects,
  given: Form,
  { read, watched, samples, map, now, keepsAccount = null }: Watching,
): { readonly alike: AsyncIterable<RowBatch<object>>; readonly userOf: Read } {
  const isUser = given.isUser && rememberingEach(given.isUser);
  const form = { ...given, isUser };
  const { view, fields } = form;
  const isWhole = !areOurLines(head.text);
  const hasLists = users !== "" || !isWhole;
  const related = form.related?.({ now, keepsAccount }, { hasLists, isWhole });
  const onOther = (kind: string): void => watched.noteKind(kind);
  const onList = (list: string): void => watched.noteList(list);
  const kinds = { samples, map, fields, isUser, isNamed: related?.isNamed, onOther, onList, now };
  const own = withoutOthers(form, watched.users(read, view), read);
  return {
    alike: guardKinds(head, objects(takesBeside(head, kinds)), kinds),
    userOf: related === undefined ? own : withRelated(form, own, related),
  };
}

/** What other objects hold is no field of a user's: it is neither counted nor told. */
function withoutOthers({ isUser, view }: Form, read: Read, other: Watching["read"]): Read {
  if (isUser === undefined) return read;
  return (value) => (isUser(value) ? read(value) : other(seenBy(view, value), NOTHING_TOLD));
}

const NOTHING_TOLD: ReadonlySet<string> = new Set();

/** Other objects as what they say of users, and users with the keys by which they are found. */
function withRelated({ isUser, view }: Form, userOf: Read, related: RelatedReader): Read {
  return (value) => {
    const isOther = listOf(value) !== null || isUser?.(value) === false;
    if (isOther) return related.read(value) ?? userOf(value);
    return related.seeking(seenBy(view, value), userOf(value));
  };
}

export function seenBy(view: Form["view"], user: object): object {
  return view === undefined ? user : view(user);
}
