/** Bytes as JSON tools write them where a database keeps a hash as bytes: Node.js' Buffer, MongoDB's extended JSON. They are read as text; what isn't text is no hash. */

import { asFields, fieldOf, textOf } from "./fields.js";
import { type CredentialForm, MALFORMED } from "./form.js";
import { refused } from "../inner.js";

/** More than any hash takes with its padding. */
const MAX_BYTES = 1024;

/** Bytes alone, not in a field. */
export const readBytes: CredentialForm = (fields) => {
  const text = textOfBytes(fields);
  if (text === null) return null;
  return text === undefined ? refused(MALFORMED) : { kind: "text", text, steps: ["bytes_taken"] };
};

/**
 * The text of `{"type":"Buffer","data":[…]}` (Buffer.toJSON), `{"$binary":{"base64":…}}` or
 * `{"$binary":…,"$type":…}` (MongoDB Extended JSON, version 2 and 1). Null for a value that is no
 * bytes, undefined for bytes that are no text.
 */
export function textOfBytes(value: unknown): string | null | undefined {
  const fields = asFields(value);
  if (fields === undefined) return null;
  const bytes = bufferOf(fieldOf(fields, "type"), fieldOf(fields, "data"));
  if (bytes !== null) return decode(bytes);
  const binary = fieldOf(fields, "$binary");
  const base64 = typeof binary === "string" ? binary : textOf(asFields(binary) ?? {}, "base64");
  return base64 === undefined ? null : decode(Buffer.from(base64, "base64"));
}

function bufferOf(type: unknown, data: unknown): Buffer | null {
  if (type !== "Buffer" || !Array.isArray(data) || data.length > MAX_BYTES) return null;
  return Buffer.from(data.map(Number));
}

function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString("latin1");
  return /^[\0\t\n\r\x20-\x7e]+$/.test(text) ? text : undefined;
}
