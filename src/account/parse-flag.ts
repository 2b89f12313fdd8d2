/** Reads yes and no as exports write them. */

/** In the common languages; TRUE as spreadsheets write it in theirs; of pandas; and of MySQL's BIT columns, bare and as its tools write them. */
const YES = `true t yes y 1 on ja j oui si sí sim tak ano igen evet da да 是 はい 예 1.0 \u0001 b'1' 0x01
  wahr vrai verdadero verdadeiro vero waar prawda pravda sant sann sand tosi igaz adevărat doğru
  истина істина`;
const NO = `false f no n 0 off nein non não nao nie nee nej nei hayır hayir нет 否 いいえ 아니요 0.0 \0 \\0
  b'0' 0x00 falsch faux falso onwaar fałsz nepravda falskt falsk usann epätosi hamis fals yanlış yanliş
  ложь хибність`;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...YES.split(/\s+/).map((word) => [word, true] as const),
  ...NO.split(/\s+/).map((word) => [word, false] as const),
]);
const LONGEST = "verdadeiro".length;

/**
 * @param text a flag in any case, with or without white space around it
 * @returns null where the text is empty or neither yes nor no
 */
export function parseFlag(text: string): boolean | null {
  // Nearly every export writes the plain words, which need no trimmed copy.
  const plain = text.length > LONGEST ? text.trim() : text;
  if (plain.length > LONGEST) return null;
  return FLAGS.get(plain) ?? FLAGS.get(plain.trim().toLowerCase()) ?? null;
}
