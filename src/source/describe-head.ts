/** Describes a file that no source recognizes, for people: its container and the names in it. */

import { detectLayout } from "./csv/csv.js";
import { pathsOf, placesOfObjects } from "./generic/json-head.js";
import { looksLikeData, showNames } from "./show-name.js";
import type { FileHead } from "./source.js";

/** As the end of a sentence: "a table with the columns "name", "size"". */
export function describeHead(head: FileHead): string {
  return /^\s*[[{]/.test(head.text) ? describeJson(head) : describeTable(head);
}

function describeJson(head: FileHead): string {
  const places = placesOfObjects(head).filter(({ samples }) => samples.length > 0);
  // A document of one line is an object a line, too.
  const place = places.find(({ within }) => within !== "lines") ?? places[0];
  if (place === undefined) return "JSON without an array of objects at its start";
  const names = showNames(pathsOf(place.samples));
  return `JSON objects with the properties ${names}`;
}

function describeTable(head: FileHead): string {
  const header = detectLayout(head)?.header ?? [];
  if (looksLikeData(header)) return "rows without a header row that names the columns";
  return header.length < 2
    ? "text without columns"
    : `a table with the columns ${showNames(header)}`;
}
