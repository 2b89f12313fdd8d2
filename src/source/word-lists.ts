/** The words by which columns and properties are known, from `words/` of the package: by topic and language. */

import { readFileSync } from "node:fs";

/** Words with blanks between them, by language. */
export type Words = Readonly<Record<string, string>>;

export type Topics<Topic extends string = string> = Readonly<Record<Topic, Words>>;

/** As far from here as from the bundle. */
const FOLDER = new URL("../../words/", import.meta.url);

export function readWords<File>(name: string): File {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
}

export function listed(words: string | Words): readonly string[] {
  return (typeof words === "string" ? [words] : Object.values(words)).flatMap((text) =>
    text.split(" "),
  );
}

export function setOf(words: string | Words): ReadonlySet<string> {
  return new Set(listed(words));
}

/** Every word beside what it means. */
export function wordsAs<Meaning>(
  words: string | Words,
  meaning: Meaning,
): readonly (readonly [string, Meaning])[] {
  return listed(words).map((word) => [word, meaning]);
}

/** Every word of all topics beside what it means by its topic. */
export function topicsAs<Meaning, Topic extends string>(
  topics: Topics<Topic>,
  meaning: (topic: Topic) => Meaning,
): readonly (readonly [string, Meaning])[] {
  return (Object.keys(topics) as Topic[]).flatMap((topic) =>
    wordsAs(topics[topic], meaning(topic)),
  );
}
