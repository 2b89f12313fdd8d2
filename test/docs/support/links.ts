/** The links of a page of Markdown to files of ours. */

import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "../../laws/source-files.js";

interface Link {
  readonly path: string;
  readonly anchor: string;
}

/** Links of a page to files of ours. */
export function linksOf(page: string): Link[] {
  const text = withoutBlocks(readFileSync(join(ROOT, page), "utf8"));
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => target ?? []);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor = ""] = target.split("#");
      return { path: file === "" ? page : normalize(join(dirname(page), file)), anchor };
    });
}

export function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "");
}
