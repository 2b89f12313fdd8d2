/** The base64 of crypt(3) and phpass: another alphabet, and the low bits first. */

const ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `bytes`, three to four characters. */
export function toItoa64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    let value = one | (two << 8) | (three << 16);
    const characters = Math.min(bytes.length - at, 3) + 1;
    for (let written = 0; written < characters; written++) {
      text += ALPHABET.charAt(value & 63);
      value >>= 6;
    }
  }
  return text;
}

/** The number that one character stands for. */
export function itoa64Value(character: string): number {
  return ALPHABET.indexOf(character);
}
