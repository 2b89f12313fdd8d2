/** Recognizes texts that operators have in place of an export by their start, and gives the command that makes an export of each. No command writes to a file of a likely name: it could be the one that is read. */

import { isJson } from "./format.js";

import { arraysOfObjects, findFlaw } from "./json/json-scan.js";
import { parseJson } from "./json/json-value.js";
import { firstLine } from "./json/ndjson.js";
import { fileWord } from "./show-name.js";
import type { FileHead } from "./source.js";
import { isStytchPasswords } from "./vendors/stytch-passwords.js";

/** What a file is, as the end of a sentence, and what to do. */
interface Misfit {
  readonly what: string;
  readonly hint: string;
}

const ADDRESS = /"[^"@\s]+@[^"@\s]+"/;

interface Shape {
  readonly what: string;
  readonly fits: (text: string) => boolean;
  /** @param file in a command */
  readonly hint: (file: string) => string;
}

/** What a dump begins with, and a statement of it: one of them alone may be a table's. */
const SQL_START =
  /^\s*(?:--|\/\*|SET |BEGIN|PRAGMA|INSERT|REPLACE|COPY|CREATE|DROP|USE |LOCK|\\restrict)/i;
const SQL_STATEMENT =
  /^[^\S\n]*(?:INSERT (?:OR \w+ )?INTO|REPLACE INTO|COPY \S.* FROM stdin|CREATE TABLE|CREATE DATABASE)\b/im;

function isSql(text: string): boolean {
  return SQL_START.test(text) && SQL_STATEMENT.test(text);
}

const SHAPES: readonly Shape[] = [
  {
    what: "an SQLite dump",
    fits: (text) => isSql(text) && /^PRAGMA foreign_keys/im.test(text),
    hint: (file) =>
      `Restore it and write the users' table as CSV: sqlite3 restored.db < ${file} && sqlite3 -header -csv restored.db "select * from users" > restored-users.csv`,
  },
  {
    what: "a MySQL or MariaDB dump",
    fits: (text) =>
      isSql(text) && /^-- (?:MySQL|MariaDB) dump|^\/\*!\d+|ENGINE=|INTO `/im.test(text),
    hint: (file) =>
      `Restore it and write the users' table with its header: mysqladmin create restored && mysql restored < ${file} && mysql --batch restored -e "select * from users" > restored-users.tsv`,
  },
  {
    what: "an SQL dump",
    fits: isSql,
    hint: (file) =>
      `Restore it into a database and copy the users' table: createdb restored && psql restored -f ${file} && psql restored -c "\\copy users to 'restored-users.csv' csv header"`,
  },
  {
    what: "phpMyAdmin's JSON, with the tables' lists in a list",
    fits: (text) => /^\s*\[\s*\{\s*"type":\s*"header",[^}]*phpmyadmin/i.test(text),
    hint: (file) =>
      `Write the users' rows one a line, by their table's name: jq -c '.[] | select(.name == "users" and .data).data[]' ${file} | auth-migrate validate -`,
  },
  {
    what: "LDIF, as a directory writes it",
    fits: (text) => /^(?:[^\S\n]*\n|#.*\n|version:.*\n)*dn::? ?\S/i.test(text),
    hint: (file) =>
      `Write its entries as a table: perl -MMIME::Base64 -00 -ne 'BEGIN { print "id\\temail\\tpassword_hash\\n" } s/\\r?\\n //g; my %a; while (/^(\\w+)(::?) *(.*?)\\r?$/gm) { $a{lc $1} //= $2 eq "::" ? decode_base64($3) : $3 } print join("\\t", map { $a{$_} // "" } qw(uid mail userpassword)), "\\n" if $a{mail}' ${file} > ldif-users.tsv`,
  },
  {
    what: "YAML",
    fits: (text) =>
      /^(?:%YAML.*\n|---.*\n|#.*\n|[^\S\n]*\n)*(?:-\s+|["']?[\w-]+["']?:[ \t]*\n(?:\s*#.*\n)*\s+(?:- )?)["']?[\w@.-]+["']?:(?:\s|$)/.test(
        text,
      ),
    hint: (file) =>
      `Write it as JSON, a list with an object a user: yq -o=json '.' ${file} | auth-migrate validate -; where users stand under their names: yq -o=json '.users | to_entries | map({"id": .key} + .value)' ${file} | auth-migrate validate -`,
  },
  {
    what: "Stytch's password hashes, which have no users",
    fits: (text) => isStytchPasswords({ text }),
    hint: (file) =>
      `Name the users, and this file beside them: auth-migrate validate users.json --password-export ${file} (docs/vendors/stytch.md).`,
  },
  {
    what: "a web page or XML",
    fits: (text) => /^\s*<(?:!doctype|html|\?xml)/i.test(text),
    hint: () =>
      "A download without a sign-in gives such a page. Fetch the export again, as CSV or JSON.",
  },
  {
    what: "a table behind a comment",
    fits: (text) => /^(?:#(?: .*)?\r?\n)+[^#\r\n]/.test(text),
    hint: (file) =>
      `The first line must name the columns. Leave the lines with # out: grep -v '^#' ${file} | auth-migrate validate -`,
  },
  {
    what: "a table behind a sep= line that doesn't fit it",
    fits: (text) => /^sep=.\r?\n/i.test(text),
    hint: (file) => `Leave its first line out: tail -n +2 ${file} | auth-migrate validate -`,
  },
];

/** @returns null where the start shows nothing of the kind */
export function findMisfit(head: FileHead): Misfit | null {
  const file = fileWord(head.path);
  const shape = SHAPES.find(({ fits }) => fits(head.text));
  if (shape !== undefined) return { what: shape.what, hint: ended(shape.hint(file)) };
  const misfit = isJson(head) ? jsonMisfit(head, file) : null;
  return misfit === null ? null : { ...misfit, hint: ended(misfit.hint) };
}

/** A sentence whose full stop isn't copied with the command. */
function ended(hint: string): string {
  if (hint.endsWith(" -")) return `${hint} (or write that into a file).`;
  return /> \S+$/.test(hint) || hint.endsWith('"') ? `${hint}, and name that file.` : hint;
}

/** The misfit of JSON in which no list of users was found. */
function jsonMisfit({ text, complete }: FileHead, file: string): Misfit | null {
  const found = findFlaw(text);
  if (found.kind === "flaw") {
    const { line, column } = found;
    return {
      what: `JSON with a fault in line ${line}, column ${column}: ${found.what}`,
      hint: "JSON has no comments, no names without quotation marks, and no comma behind the last value. Mend it, or export the users again as JSON.",
    };
  }
  if (complete && found.kind === "open" && found.count === 0) {
    const lines = text.trimEnd().split("\n");
    return {
      what: `JSON that ends before it is whole, in line ${lines.length}, column ${lines.at(-1)?.length ?? 0}`,
      hint: "Export the users again; the file was cut off.",
    };
  }
  // A list within one user is the user's own.
  const isUser = found.kind === "values" && found.count === 1 && isOneUser(text);
  const deep = isUser ? undefined : arraysOfObjects(text).find((names) => names.length > 1);
  if (deep?.every((name) => /^[A-Za-z_]\w*$/.test(name))) {
    return {
      what: `JSON whose list ${deep.join(".")} lies too deep`,
      hint: `Say where the users are: auth-migrate validate ${file} --from json --map users=${deep.join(".")}`,
    };
  }
  if (!text.trimStart().startsWith("{")) return null;
  const isSpread = firstLine({ path: "", text, complete }) === null;
  if (found.kind === "open" && found.count === 0) {
    if (text.trim().includes("\n")) return null;
    const name = found.name === "" ? "NAME" : found.name;
    return {
      what: "JSON whose first line is longer than 64 KiB",
      hint: `Where pictures in the users make it so, leave them out: jq -c 'del(.${name})' ${file} | auth-migrate validate -`,
    };
  }
  // A document of something else holds no users, or holds them in a list.
  if (!isSpread || !ADDRESS.test(text) || (found.count === 1 && !isOneUser(text))) return null;
  return {
    what:
      found.count === 1 ? "one JSON object over several lines" : "JSON objects over several lines",
    hint: `Where each is a user, write them one a line: jq -c . ${file} | auth-migrate validate -`,
  };
}

/** Whether an address stands in the object itself, and not in a list of others. */
function isOneUser(text: string): boolean {
  const own = JSON.stringify(parseJson(text), (_name, value) =>
    Array.isArray(value) ? [] : value,
  );
  return ADDRESS.test(own ?? "");
}
