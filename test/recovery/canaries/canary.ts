/** Strings that must never come out again, and the search for them: any ten characters in a row of any of them, in whatever case and in the encodings that logs and files have. */

/** A piece as short as this is found; what is shorter tells nobody anything. */
const PIECE = 10;

export interface Aviary {
  /**
   * Keeps a secret.
   *
   * @param name for a failing test
   * @returns the secret itself
   */
  keep(name: string, secret: string): string;
  /** The same for a text in base64, which may come out as bytes or in another alphabet, too. */
  keepBase64(name: string, secret: string): string;
  /** The names of those that a text or a file holds a piece of. */
  found(bytes: Buffer | string): string[];
  readonly size: number;
}

export function newAviary(): Aviary {
  const pieces = new Map<string, string>();
  const names = new Set<string>();

  const keepForm = (name: string, form: string): void => {
    const text = form.toLowerCase();
    for (let at = 0; at + PIECE <= text.length; at += 1)
      pieces.set(text.slice(at, at + PIECE), name);
  };
  const keep = (name: string, secret: string): string => {
    if (secret.length < PIECE) throw new Error(`${name} is too short to be found`);
    names.add(name);
    for (const form of formsOf(Buffer.from(secret))) keepForm(name, form);
    keepForm(name, JSON.stringify(secret).slice(1, -1));
    keepForm(name, encodeURIComponent(secret));
    return secret;
  };

  const piecesIn = (text: string): string[] => {
    const found: string[] = [];
    for (let at = 0; at + PIECE <= text.length; at += 1) {
      const name = pieces.get(text.slice(at, at + PIECE));
      if (name !== undefined) found.push(name);
    }
    return found;
  };

  return {
    keep,
    keepBase64(name, secret) {
      for (const form of formsOf(Buffer.from(secret, "base64"))) keepForm(name, form);
      return keep(name, secret);
    },
    found(bytes) {
      const text = Buffer.from(bytes).toString("latin1").toLowerCase();
      // A phone number is one with brackets and hyphens in it, too.
      return [...new Set([text, text.replace(/[\s().-]/g, "")].flatMap(piecesIn))];
    },
    get size() {
      return names.size;
    },
  };
}

/** Bytes as they may be written. */
function formsOf(bytes: Buffer): string[] {
  return [bytes.toString("latin1"), bytes.toString("hex"), ...base64Forms(bytes)];
}

/** In base64 the same bytes are three texts, by where they begin in what was encoded with them. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const inner = text.slice(shift + (shift > 0 ? 1 : 0), -1);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
