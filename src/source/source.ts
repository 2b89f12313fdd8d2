/** The `Source` interface: one vendor's reader. It recognizes its files by their shape and maps each row to a user record. */

import type { KeptParts } from "../account/account-parts.js";
import type { Related } from "../account/related.js";
import type { UserRecord } from "../account/user-record.js";
import type { FieldTree } from "./fields/field-tree.js";
import type { FieldsRead } from "./fields/field-watch.js";
import type { DatabasePart } from "./mapping/database-part.js";
import type { DateOrder } from "./point-in-time.js";
import type { RawRow } from "./raw/raw-row.js";

/** The start of a file, enough to recognize whose it is. */
export interface FileHead {
  /** The path as the operator gave it. */
  readonly path: string;
  /** Up to the first 64 KiB, decoded as UTF-8 without a byte-order mark. */
  readonly text: string;
  /** True when `text` is the whole file. */
  readonly complete: boolean;
  /** `database`: a table's rows from a database, as CSV; `lines`: a table's rows as JSON, one a line. Absent where `text` says what it is. */
  readonly of?: "database" | "lines" | undefined;
}

/** How the operator wants rows to be read. */
export interface ReadingRules {
  /**
   * Names of columns or properties by field, from `--map field=column`, several where several say
   * something of it. A source of a vendor hears flags of fields that its table doesn't name, or
   * refuses it.
   */
  readonly map: ReadonlyMap<string, string | readonly string[]>;
  /** When the run began, in epoch milliseconds: a lock that was over by then is none. */
  readonly now: number;
  /**
   * The country (ISO 3166-1, two letters) of phone numbers without their calling code, from
   * `--default-country`; null (the default) refuses them.
   */
  readonly defaultCountry?: string | null;
  /**
   * The bytes' encoding, as `TextDecoder` names it, from `--encoding`; null (the default) for
   * UTF-8, and for UTF-16 that shows itself. A byte-order mark wins over it.
   */
  readonly encoding?: string | null;
}

/** What it is told of stays on this machine: the text is a user's. */
type OnUnread = (
  column: string,
  text: string,
  field: "active" | "email_verified" | "phone_verified",
) => void;

/** What a source needs to know to map rows. */
export interface ReadOptions extends ReadingRules {
  /** Stops the reading between two batches. */
  readonly signal?: AbortSignal;
  /** Told how many more bytes of the file were read, for progress. */
  readonly onBytes?: (bytes: number) => void;
  /**
   * Told at the end of the reading, also an early one, which columns were read as what. Only
   * generic sources call it.
   */
  readonly onColumns?: ((columns: ColumnsRead) => void) | undefined;
  /**
   * Told at the end of the reading, also an early one, which fields were filled and what each of
   * them is. Only sources of a vendor call it.
   */
  readonly onFields?: ((fields: FieldsRead) => void) | undefined;
  /**
   * Told of each value of a flag that isn't understood, by its column's name: whether the user is let
   * in, or whether a contact is verified. Only generic sources call it.
   */
  readonly onUnread?: OnUnread | undefined;
  /** True to be told by `onFields` what each path of a mapping has read, which reads each twice; false by default. */
  readonly tellsPaths?: boolean | undefined;
  /** False for rows of a database, which stand in no line; true by default. */
  readonly hasLines?: boolean;
  /**
   * Which of the account's other parts records can be asked for: all, or those that may decide who
   * is left out, by what users are brought and which roles a core has to have. None by default, which spares the memory of what
   * they are read from.
   */
  readonly keepsAccount?: KeptParts | null;
  /** True where items keep their raw row; false by default, which spares the memory. */
  readonly keepsRaw?: boolean;
}

/** Which columns or properties of a file are read as what, and how many of its rows fill them. No values. */
export interface ColumnsRead {
  /** How many rows were read. */
  readonly rows: number;
  readonly read: readonly {
    readonly name: string;
    /** A field of `--map`, or what else it says: `state`, `deleted`, `algorithm`, … */
    readonly as: string;
    readonly filled: number;
    /** What stands first in its dates, where they are in a country's own way. */
    readonly dates?: readonly DateOrder[];
  }[];
  readonly unread: readonly { readonly name: string; readonly filled: number }[];
  /** Columns of which `--map` names a value that no row has. */
  readonly unmatched: readonly string[];
}

/** Where a row stands. */
export interface Placed {
  readonly number: number;
  /** At which it begins, from 1, as an editor counts; absent where rows aren't lines, as in a JSON document. */
  readonly line?: number | undefined;
  /** Of a file of rejects: where the row stood in the export, as the reason beside it says. */
  readonly origin?: string | undefined;
}

/** A row, and what its item can say about it where {@link ReadOptions.keepsRaw} asks for it. */
interface HasRaw extends Placed {
  /** Keeping it keeps the bytes of the rows around it, too. */
  readonly raw?: () => RawRow;
}

/** Keys of a user under which other objects of the file may be found, which say more of them. */
interface Seeks {
  readonly seeks?: readonly string[];
  /** Of objects that the user names. */
  readonly listed?: readonly string[];
}

/** What an object says of users, under its keys; damage where it can't be read. */
export interface RelatedItem {
  readonly keys: readonly string[];
  /** It names a user of the file; others are named by users, or by none. */
  readonly namesUser: boolean;
  /** Each of the keys names another user; false by default. */
  readonly namesSeveral?: boolean;
  readonly says: Related | { readonly code: string; readonly hint: string };
}

/**
 * One row as read: a user record, a reject (the row can't be read; the rest goes on), a skip (the
 * row is no user's), or the mark that the file was cut off (always last; exit code 65). `number`
 * counts the file's rows from 1; a CSV header is not a row.
 */
export type SourceItem =
  | (HasRaw & Seeks & { readonly kind: "record"; readonly record: UserRecord })
  | (HasRaw &
      Seeks & {
        readonly kind: "reject" | "skip";
        readonly code: string;
        readonly hint: string;
        /** The vendor's id, as far as the row could be read; absent where it couldn't. */
        readonly sourceId?: string;
        /** What an object that is no user says of users; absent where it says nothing. */
        readonly related?: RelatedItem;
      })
  | (Placed & { readonly kind: "truncated"; readonly hint: string });

/** How a source's users are found in a database. */
export interface DatabaseSource {
  readonly part: DatabasePart;
  /** Any of these lists of columns that the users' table has. */
  readonly recognize: readonly (readonly string[])[];
  /** Whether columns count whatever the case of their names. */
  readonly anyCase: boolean;
}

/** One vendor's reader. Implementations are listed in `registry.ts`. */
export interface Source {
  /** The vendor's name: `--from`'s value, and `source` in the summary. */
  readonly name: string;
  /** Whose hashes are in its files, as docs/hashes.md names the vendor; the name by default. */
  readonly hashes?: string;
  /** What the fields of its users are, by its forms; none for a source of no particular vendor. */
  readonly fields: readonly FieldTree[];
  /**
   * True for a source of no particular vendor. It gives way to a vendor's source that fits, too.
   */
  readonly generic: boolean;
  /** Absent where its users are in no database that is read. */
  readonly database?: DatabaseSource | undefined;
  /** What to do about a file of this source's without a single user. */
  readonly noUsersHint: string;
  /**
   * Says for people by what it recognizes the file as this vendor's ("a JSON object with a users
   * array whose items have localId"). Null for any other file.
   *
   * @throws RunError `input_unrecognized` for a file of this vendor's that holds something else
   * than users
   */
  recognize(head: FileHead): string | null;
  /**
   * Reads an export as a stream in constant memory, in batches of at most a few hundred items, in
   * the file's order. The chunks' sizes make no difference. Ending the iteration early ends that of
   * `bytes`.
   *
   * @param path the name for messages
   * @param bytes as they are on disk; gzip and other encodings are read through
   * @throws RunError `no_users`, `input_unrecognized`, `input_damaged`, and what
   * `bytes` throws
   */
  read(
    path: string,
    bytes: AsyncIterable<Buffer>,
    options: ReadOptions,
  ): AsyncIterable<readonly SourceItem[]>;
}
