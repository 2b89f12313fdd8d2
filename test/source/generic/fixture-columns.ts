/** Columns of real applications beside a value each, as `fixtures/*.txt` have them. */

import { readFileSync } from "node:fs";

const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

export interface Column {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

export function columnsOf(file: string): Column[] {
  const text = readFileSync(new URL(`fixtures/${file}`, import.meta.url), "utf8");
  let section = "";
  return text.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    if (/^\[\w+\]$/.test(line)) {
      section = line.slice(1, -1);
      return [];
    }
    const [, name = "", value = ""] = /^(.*?(?:\[.*?\])?(?:sign-in)?) (.*)$/.exec(line) ?? [];
    return [{ section, name, value: value.replace(/\$2$/, BCRYPT) }];
  });
}
