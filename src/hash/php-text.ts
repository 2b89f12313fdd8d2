/** What functions of PHP make of a password. */

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#039;" } as const;

/** What htmlspecialchars writes, with ENT_COMPAT and with ENT_QUOTES. */
export function escapeHtml(text: string): readonly [compat: string, quotes: string] {
  const written = (escaped: RegExp): string =>
    text.replace(escaped, (character) => ENTITIES[character as keyof typeof ENTITIES]);
  return [written(/[&<>"]/g), written(/[&<>"']/g)];
}

/** What addslashes makes of a text without NUL. */
export function addSlashes(text: string): string {
  return text.replace(/['"\\]/g, "\\$&");
}

/** What trim leaves: it knows no white space beyond ASCII. */
export function trimAsPhp(text: string): string {
  return text.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, "");
}
