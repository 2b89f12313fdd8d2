/** A core's user ids as the checkpoint stores them: a UUID in its 16 bytes, anything else as text. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a lower-case UUID. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}

/** A lower-case UUID becomes 16 bytes; every other text stays as it is. */
export function packId(id: string): Buffer | string {
  return isUuid(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : id;
}

/** The inverse of {@link packId}. */
export function unpackId(packed: Buffer | string): string {
  return typeof packed === "string" ? packed : hyphenated(packed.toString("hex"));
}

/** A stored id as two columns of a query that JSON can hold; {@link idOfText} takes both. */
export function textColumns(column: string): string {
  const isBytes = `typeof(${column}) = 'blob'`;
  return `iif(${isBytes}, lower(hex(${column})), ${column}), ${isBytes}`;
}

export function idOfText(text: string, isBytes: 0 | 1): string {
  return isBytes === 1 ? hyphenated(text) : text;
}

function hyphenated(hex: string): string {
  const [low, mid, high] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)];
  return `${low}-${mid}-${high}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
