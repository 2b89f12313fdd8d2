/** A database whose users are read as a table is: who logs in where, what a connection can be asked, and what its tables look like. */

/** How a connection is encrypted; the server's certificate is always verified. */
interface LoginTls {
  /** Certificate authorities that are trusted in place of Node.js's own, PEM. */
  readonly ca?: string | undefined;
  /** This side's certificate and its key, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Who logs in to which database. */
export interface DatabaseLogin {
  /** A host name, an address, or what begins with a slash: the folder of PostgreSQL's Unix socket, or MySQL's socket itself. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Null where the server asks for none. */
  readonly password: string | null;
  /** Null for a connection that isn't encrypted. */
  readonly tls: LoginTls | null;
}

/** The systems whose databases are read. */
export type DatabaseKind = "postgres" | "mysql";

/** Users in a database, in place of a file. They are read once, in one transaction that only reads. */
export interface DatabaseInput {
  readonly kind: DatabaseKind;
  readonly login: DatabaseLogin;
  /** The table or view of the users, with its schema before a dot where it isn't found by itself. */
  readonly table?: string | undefined;
  /** Of whom the users are, where a table has several's: a realm's or an organization's name. */
  readonly tenant?: string | undefined;
  /** A query of one's own, in the place of the tables, whose rows are read in the order that it gives. */
  readonly query?: string | undefined;
}

/** A column as far as a query depends on it. */
export interface TableColumn {
  readonly name: string;
  /** As the system calls it: `bool`, `int8`, `tinyint`. */
  readonly type: string;
}

/** A table or a view. */
export interface Table {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** The columns of its primary key; empty where it has none. */
  readonly key: readonly string[];
  /** Whether the login may read all of it. */
  readonly isReadable: boolean;
  /** Whether its name is enough to find it. */
  readonly isNear: boolean;
}

/** One connection with one transaction, in which everything is as it was at its beginning. */
export interface Connection {
  /** All tables but the system's own. */
  tables(): Promise<readonly Table[]>;
  /** The texts of a query's only column, few. */
  texts(sql: string): Promise<readonly string[]>;
  /**
   * A query's rows as CSV with a header, as the system's own tools write it. Ending the iteration
   * early ends the connection.
   */
  rows(sql: string): AsyncIterable<Buffer>;
  /** Whether tables are listed that the login may not read. */
  readonly seesAll: boolean;
  /** Whether its texts are bytes of any encoding, as far as the system knows. */
  readonly isBytes: boolean;
  close(): Promise<void>;
}

/** How both systems open one. They take no URL: what a password's place is, the caller knows. */
export type Connect = (login: DatabaseLogin) => Promise<Connection>;
