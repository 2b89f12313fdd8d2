/** SQL that both systems of databases take, with words in braces for what differs. */

import type { DatabaseInput } from "../../../src/source/database/database.js";

type Kind = DatabaseInput["kind"];

const WORDS: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  postgres: {
    ...{ serial: "serial PRIMARY KEY", bool: "boolean", json: "jsonb", time: "timestamptz" },
    ...{ stamp: "timestamp", bs: "\\" },
    ...{ yes: "true", no: "false", q: '"' },
    ...{ bit: "boolean", one: "true", nil: "false" },
  },
  mysql: {
    ...{ serial: "int AUTO_INCREMENT PRIMARY KEY", bool: "tinyint(1)", json: "longtext" },
    ...{ stamp: "datetime", bs: "\\\\" },
    ...{ time: "datetime(6)", yes: "1", no: "0", q: "`" },
    ...{ bit: "bit(1)", one: "b'1'", nil: "b'0'" },
  },
};

/** As one of them has it; a word that it doesn't know stays. A name in `{t}` is large at MySQL, as Keycloak's tables are. */
export function sqlFor(sql: string, kind: Kind): string {
  const named = sql.replace(/\{t\}(\w+)\{t\}/g, (_all, name: string) =>
    kind === "mysql" ? name.toUpperCase() : name,
  );
  return named.replace(/\{(\w+)\}/g, (all, word: string) => WORDS[kind][word] ?? all);
}
