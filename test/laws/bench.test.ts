import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const BENCH = join(ROOT, "bench");
const IMPORT = /^import (?:\{([^}]*)\} from )?"(\.[^"]*\/dist\/[^"]*)";/gm;

it("what the benchmark takes of the program is there", async () => {
  const files = readdirSync(BENCH, { recursive: true, encoding: "utf8" });
  const lacking: string[] = [];
  let taken = 0;
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    for (const [, names = "", path = ""] of readFileSync(join(BENCH, file), "utf8").matchAll(
      IMPORT,
    )) {
      const module: object = await import(
        /* @vite-ignore */ new URL(path, pathToFileURL(join(BENCH, file))).href
      ).catch(() => ({}));
      const wanted = names.split(",").flatMap((name) => name.trim().split(" as ")[0] || []);
      taken += wanted.length;
      lacking.push(...wanted.filter((name) => !(name in module)).map((name) => `${file}: ${name}`));
    }
  }
  expect(lacking).toEqual([]);
  expect(taken).toBeGreaterThan(20);
});
