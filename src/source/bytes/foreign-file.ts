/** Files that hold no text, told by their first bytes, so that the refusal can say what to do instead. Gzip is unpacked instead; a second layer of it is among them. */

import { basename, dirname } from "node:path";
import { RunError } from "../../errors/run-error.js";
import { fileWord } from "../show-name.js";

interface Format {
  readonly what: string;
  /** Any of these. */
  readonly magic: readonly Buffer[];
  /** Where the magic stands; at the start by default. */
  readonly at?: number;
  /** `FILE` in it stands for the file's name. */
  readonly hint: string;
}

/** @param command that writes the unpacked text to stdout */
function unpackWith(command: string): string {
  return `Unpack it and name the unpacked file; or put "${command} FILE |" before the command and name - in its place`;
}

const SAVE_AS_UTF8 = "Save the export as UTF-8 and run the same command again.";

const SHEET =
  "Save it as \"CSV UTF-8\", or write its first sheet: soffice --headless --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76' --outdir restored FILE, and name the file in there.";

const PG_RESTORE =
  "Restore it and copy the users' table: createdb restored && pg_restore -d restored FILE && psql restored -c \"\\copy users to 'restored-users.csv' csv header\", and name that file.";

const text = (sign: string): Buffer => Buffer.from(sign);
const hex = (digits: string): Buffer => Buffer.from(digits, "hex");

const FORMATS: readonly Format[] = [
  // RFC 8878
  { what: "a zstd file", magic: [hex("28b52ffd")], hint: unpackWith("zstd -dc") },
  // The block's magic as well: "BZh9" alone may begin a text.
  { what: "a bzip2 file", magic: [hex("314159265359")], at: 4, hint: unpackWith("bzip2 -dc") },
  { what: "an xz file", magic: [hex("fd377a585a00")], hint: unpackWith("xz -dc") },
  { what: "an lz4 file", magic: [hex("04224d18")], hint: unpackWith("lz4 -dc") },
  {
    what: "a spreadsheet",
    // The name of a zip's first file, behind 30 bytes of its header (APPNOTE.TXT, 4.3.7).
    magic: ["[Content_Types].xml", "_rels/.rels", "xl/", "mimetypeapplication/vnd.oasis"].map(text),
    at: 30,
    hint: SHEET,
  },
  { what: "an old spreadsheet", magic: [hex("d0cf11e0a1b11ae1")], hint: SHEET },
  { what: "a zip archive", magic: [text("PK\u0003\u0004")], hint: `${unpackWith("unzip -p")}.` },
  { what: "a 7z archive", magic: [hex("377abcaf271c")], hint: unpackWith("7z x -so") },
  // The first file in pg_dump's tar.
  { what: "a PostgreSQL dump in a tar archive", magic: [text("toc.dat\0")], hint: PG_RESTORE },
  {
    what: "a tar archive",
    // POSIX's, then GNU's: five letters alone may be in a name.
    magic: [text("ustar\0"), text("ustar  \0")],
    at: 257,
    hint: unpackWith("tar -xOf"),
  },
  {
    what: "gzip inside gzip",
    magic: [hex("1f8b08")],
    hint: "Unpack it once with gunzip and name the unpacked file.",
  },
  // sqlite.org/fileformat.html, 1.3
  {
    what: "an SQLite database",
    magic: [text("SQLite format 3\0")],
    hint: 'Write its users\' table as CSV: sqlite3 -header -csv FILE "select * from users" > restored-users.csv, and name that file.',
  },
  // parquet.apache.org/docs/file-format
  {
    what: "a Parquet file",
    magic: [text("PAR1")],
    hint: "Write it as CSV: duckdb -c \"copy (from 'FILE') to 'restored-users.csv' (header)\", and name that file.",
  },
  { what: "a PostgreSQL dump of pg_dump's own format", magic: [text("PGDMP")], hint: PG_RESTORE },
  // A document's length, then its first field: bsonspec.org. An _id comes first in MongoDB.
  {
    what: "BSON, as mongodump writes it",
    magic: [text("_id\0")],
    at: 5,
    hint: "Write it as JSON, an object a line: bsondump FILE > restored-users.ndjson, and name that file.",
  },
  {
    what: "an archive of mongodump",
    magic: [hex("6de29981")],
    hint: "Restore it with mongorestore --archive=FILE and write the users with mongoexport --collection users --out restored-users.ndjson, and name that file.",
  },
  { what: "UTF-32 text", magic: [hex("fffe0000"), hex("0000feff")], hint: SAVE_AS_UTF8 },
];

/**
 * @param name for messages
 * @param start the first bytes, 64 KiB of them or all there are
 * @throws RunError `input_unrecognized`
 */
export function refuseForeign(name: string, start: Buffer): void {
  const found = FORMATS.find(({ magic, at = 0 }) =>
    magic.some((one) => start.subarray(at, at + one.length).equals(one)),
  );
  if (found === undefined) return;
  // With -Fd pg_dump writes a folder, of which this file lists the contents; pg_restore takes the folder.
  const restored = basename(name) === "toc.dat" ? dirname(name) : name;
  throw new RunError("input_unrecognized", `${name} is ${found.what}, which is not read here`, {
    hint: found.hint.replaceAll("FILE", () => fileWord(restored)),
  });
}
