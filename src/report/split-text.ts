/** Tells people what a split wrote. */

import type { Manifest } from "../events/shard.js";
import { count } from "./count.js";

/** Parts that are listed; the manifest has all. */
const MOST_PARTS = 20;

/** @param path of the manifest */
export function splitText({ rows, parts }: Manifest, path: string): string[] {
  const more = parts.length - MOST_PARTS;
  return [
    `${count(rows, "row")} in ${count(parts.length, "part")}; manifest ${path}`,
    "",
    ...parts.slice(0, MOST_PARTS).map(({ shard, rows: own, files }) => {
      const names = files.map(({ name }) => name).join(", ") || "no row falls to it";
      return `  ${String(shard).padStart(5)}  ${own.toLocaleString("en-US").padStart(13)}   ${names}`;
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
    "The parts hold hashes and contacts as the export does. To import the first one:",
    `  auth-migrate import --manifest ${path} --shard 1`,
  ];
}
