/** Exports of two vendor projects with known passwords, and their parameters as the console shows them: the first two of the known answers, with the lowest cost at which a wrong password takes no time. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECTS = fileURLToPath(new URL("../fixtures/", import.meta.url));

export interface Project {
  readonly users: string;
  readonly hashConfig: string;
  /** The content of `hashConfig`. */
  readonly block: string;
  readonly signerKey: string;
}

export const OWN = project("own");
export const OTHER = project("other");

/** A user of {@link OWN}. */
export const ADA = {
  email: "ada.brandt@example.com",
  password: "this$is%to^test&some=symbols*out@",
};
/** Another one. */
export const NELE = { email: "nele.ortiz@example.com", password: "testing123" };

function project(name: string): Project {
  const hashConfig = join(PROJECTS, name, "hash-config.txt");
  const block = readFileSync(hashConfig, "utf8");
  const signerKey = /base64_signer_key: (\S+),/.exec(block)?.[1] ?? "";
  return { users: join(PROJECTS, name, "users.json"), hashConfig, block, signerKey };
}
