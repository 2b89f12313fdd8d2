/** The deployment files that users copy, as text and parsed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { ROOT } from "../../laws/source-files.js";

/** A file under deploy/. */
export function deployText(path: string): string {
  return readFileSync(join(ROOT, "deploy", path), "utf8");
}

/** Every object of some YAML text that `kubectl apply` would make. */
export function objectsIn(text: string): unknown[] {
  return parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS());
}

/** A JSON file under deploy/. */
export function deployJson(path: string): unknown {
  return JSON.parse(deployText(path));
}
