/** Decodes the labels of internationalized domain names (RFC 3492). It only shows what a name looks like; whether the name may exist is not asked. */

const PREFIX = "xn--";
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** RFC 3492, section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const LAST_CODE_POINT = 0x10ffff;

/** @returns the domain as people see it; labels that can't be decoded stay as they are */
export function decodeDomain(domain: string): string {
  if (!domain.includes(PREFIX)) return domain;
  const decoded = (label: string): string =>
    label.startsWith(PREFIX) ? (decodeLabel(label.slice(PREFIX.length)) ?? label) : label;
  return domain.split(".").map(decoded).join(".");
}

/** RFC 3492, 6.2. */
function decodeLabel(encoded: string): string | null {
  if (encoded === "") return null;
  const end = encoded.lastIndexOf("-");
  const output = [...encoded.slice(0, Math.max(end, 0))];
  const input = [...encoded.slice(end + 1)].map((digit) => DIGITS.indexOf(digit));
  let codePoint = INITIAL_CODE_POINT;
  let bias = INITIAL_BIAS;
  let insertAt = 0;
  for (let at = 0; at < input.length; ) {
    const before = insertAt;
    for (let weight = 1, k = BASE; ; k += BASE, at += 1) {
      const digit = input[at] ?? -1;
      if (digit === -1) return null;
      insertAt += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    at += 1;
    const length = output.length + 1;
    bias = adapted(insertAt - before, length, before === 0);
    codePoint += Math.floor(insertAt / length);
    insertAt %= length;
    if (codePoint > LAST_CODE_POINT || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return null;
    output.splice(insertAt, 0, String.fromCodePoint(codePoint));
    insertAt += 1;
  }
  return output.join("");
}

/** RFC 3492, 6.1. */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
