/** Reads Stytch's password hashes, which its support hands out apart from the users: a table under lines that say how its scrypt is made. Its form as FusionAuth's guide shows it (fusionauth.io/docs/lifecycle/migrate-users/bulk/stytch). */

import { RunError } from "../../errors/run-error.js";
import { readCsv } from "../csv/csv.js";
import { layoutOf, withoutNull } from "../csv/table.js";
import { idKey, type PasswordLine, type PasswordLines, toLines } from "../password-lines.js";
import { RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";

const COLUMNS = ["id", "hash", "salt", "hash_method"] as const;
const HEADER = /^(?:"?id"?,"?hash"?,"?salt"?,"?hash_method\b)/m;

/** As the file names them, the last with its slip. */
const PARAMETERS = {
  cost: "scryptCostParameter",
  blockSize: "scryptRParameter",
  parallelization: "scryptPParameter",
  length: "scryptKeyLengthParam",
} as const;

type Parameters = Readonly<Record<keyof typeof PARAMETERS, number>>;

const NO_ID = new RowDamage("row_malformed", "The line names no user: its id is empty.");
const BAD_HASH = new RowDamage(
  "row_malformed",
  "The line's hash or salt isn't what the lines above the header say.",
);

/** Whether a file's start is one of Stytch's hashes, with or without the lines above its header. */
export function isStytchPasswords({ text }: Pick<FileHead, "text">): boolean {
  return HEADER.test(text);
}

/** @throws RunError `input_unrecognized` without the lines above the header, `password_export_partial` */
export function readStytchPasswords(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<PasswordLines> {
  const above = head.text.slice(0, head.text.search(HEADER));
  const parameters = parametersIn(head.path, above);
  const table = { ...head, text: head.text.slice(above.length) };
  const layout = layoutOf(table);
  const places = COLUMNS.map((name) => layout.header.findIndex((own) => own.trim() === name));
  const rows = behind(bytes, Buffer.byteLength(above));
  return toLines(head.path, readCsv(rows, layout), (row) => {
    const [id = "", hash = "", salt = "", method = ""] = places.map((at) =>
      withoutNull(row[at] ?? "").trim(),
    );
    return toLine(id, { hash, salt, method }, parameters);
  });
}

/** All but the first bytes. */
async function* behind(bytes: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let skipped = 0;
  for await (const chunk of bytes) {
    const rest = chunk.subarray(count - skipped);
    skipped += chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

interface Exported {
  readonly hash: string;
  readonly salt: string;
  readonly method: string;
}

function toLine(id: string, exported: Exported, parameters: Parameters): PasswordLine | RowDamage {
  const key = idKey(id);
  const hash = hashOf(exported, parameters);
  if (key === null) return NO_ID;
  return hash === null ? BAD_HASH : { keys: [key], hash };
}

/**
 * The hash as one text: of scrypt in passlib's form. Users who came to Stytch with another hash and
 * haven't signed in since have that one; where its text doesn't say how it was made, what stands
 * beside goes along.
 */
function hashOf({ hash, salt, method }: Exported, parameters: Parameters): string | null {
  if (hash.startsWith("$")) return hash;
  if (hash === "") return null;
  if (method.toLowerCase() !== "scrypt") {
    const beside = salt === "" ? {} : { salt };
    return JSON.stringify({ password_hash: hash, algorithm: method, ...beside });
  }
  const { cost, blockSize, parallelization, length } = parameters;
  const bytes = Buffer.from(hash, "base64url");
  if (bytes.length !== length || salt === "") return null;
  // The salt goes into scrypt as the text that it is, which the guide's own hashes show.
  const [saltText, hashText] = [Buffer.from(salt), bytes].map((part) =>
    part.toString("base64").replace(/=+$/, ""),
  );
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${saltText}$${hashText}`;
}

function parametersIn(path: string, above: string): Parameters {
  const read = (name: string): number => {
    const [, value = "", shift = "0"] =
      new RegExp(`^"?${name}\\w*"?,\\s*"?(\\d{1,9})(?:\\s*<<\\s*(\\d{1,2}))?`, "m").exec(above) ??
      [];
    return Number(value) * 2 ** Number(shift);
  };
  const named = Object.entries(PARAMETERS).map(([as, name]) => [as, read(name)] as const);
  const found = Object.fromEntries(named) as Record<keyof typeof PARAMETERS, number>;
  const isWhole = named.every(([, value]) => value > 0);
  if (isWhole && Number.isInteger(Math.log2(found.cost))) return found;
  const message = `${path} doesn't say how its hashes were made: the lines above its header are missing.`;
  throw new RunError("input_unrecognized", message, {
    hint: "Name the file as Stytch's support sent it, decrypted, with its first lines.",
  });
}
