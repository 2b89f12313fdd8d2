/** The mappings that come along, from `mappings/` of the package: one file a system. Each is read when it is first asked for more than its name. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseMapping } from "./mapping/mapping-file.js";
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

function lazily(name: string, path: string): Source {
  let read: Source | null = null;
  const source = (): Source => {
    read ??= mappedSource(parseMapping(path, readFileSync(path, "utf8")));
    return read;
  };
  return {
    name,
    generic: false,
    get label() {
      return source().label;
    },
    get hashes() {
      return source().hashes ?? name;
    },
    get fields() {
      return source().fields;
    },
    get noUsersHint() {
      return source().noUsersHint;
    },
    recognize: (head) => source().recognize(head),
    read: (...given) => source().read(...given),
  };
}
