/** Columns of real systems beside a value each, as `columns/*.txt` have them. */

import { readFileSync } from "node:fs";

export const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

export interface Column {
  readonly system: string;
  readonly name: string;
  readonly value: string;
}

export function columnsOf(file: string): readonly Column[] {
  const text = readFileSync(new URL(`columns/${file}.txt`, import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const [system = "", name = "", ...value] = line.split(" | ");
    return [{ system, name, value: value.join(" | ").replace(/\$2$/, BCRYPT) }];
  });
}
