/** Which version of the package this is. */

import { readFileSync } from "node:fs";

/** @returns `unknown` where the package's file doesn't say */
export function packageVersion(): string {
  const path = new URL("../../package.json", import.meta.url);
  const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
  const version = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return version ? String(parsed.version) : "unknown";
}
