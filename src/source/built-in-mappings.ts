/** The mappings that come along, from `mappings/` of the package: one file a system. Each is read when it is first asked for more than its name. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseMapping } from "./mapping/read-mapping.js";
import { mappedSource } from "./mapping/mapped-source.js";
import type { Source } from "./source.js";

/** As far from here as from the bundle. */
const FOLDER = fileURLToPath(new URL("../../mappings/", import.meta.url));
const ENDING = ".yaml";

/** In the order of their names. */
export function builtInMappings(): readonly Source[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(ENDING));
  return files.sort().map((file) => lazily(file.slice(0, -ENDING.length), `${FOLDER}${file}`));
}

/** The lists of fields by which a mapping recognizes files, as the mappings here are written. */
const RECOGNIZE = /^ *recognize:\n((?: +- .*\n)+)/gm;

/** The lists of names of which a file must have one, as far as its start shows: in small letters. */
function listsIn(mapping: string): readonly (readonly string[])[] {
  return [...mapping.matchAll(RECOGNIZE)]
    .flatMap(([, all = ""]) => all.trimEnd().split("\n"))
    .map(
      (list) =>
        list
          .replace(/"!.*?"|\w+\(/g, "")
          .toLowerCase()
          .match(/[\w$]+/g) ?? [],
    );
}

function lazily(name: string, path: string): Source {
  let text: string | null = null;
  let lists: ReturnType<typeof listsIn> | null = null;
  let read: Source | null = null;
  const written = (): string => (text ??= readFileSync(path, "utf8"));
  const source = (): Source => (read ??= mappedSource(parseMapping(path, written())));
  /** Taking every mapping's YAML apart takes a tenth of a second, which is more than reading a small file does. */
  const mayBe = (start: string): boolean => {
    const lowered = start.toLowerCase();
    lists ??= listsIn(written());
    return lists.some((names) => names.every((each) => lowered.includes(each)));
  };
  return {
    name,
    generic: false,
    get hashes() {
      return source().hashes ?? name;
    },
    get fields() {
      return source().fields;
    },
    get database() {
      return source().database;
    },
    get noUsersHint() {
      return source().noUsersHint;
    },
    recognize: (head) => (mayBe(head.text) ? source().recognize(head) : null),
    read: (...given) => source().read(...given),
  };
}
