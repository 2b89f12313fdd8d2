import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { ROOT } from "../../laws/source-files.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { type Replayed, replayTranscript } from "./transcript.js";
import { TRANSCRIPT_DIFFERENCES } from "./transcript-differences.js";

const path = temporaryPaths();
/** The one that the recorded requests carry. */
const KEY = "abcdefghijklmnopqrstuvwxyz";

describe("requests recorded at the public counterpart", () => {
  let replayed: Replayed[];
  beforeAll(async () => {
    const core = openEmbeddedCore({ file: path("core.db") });
    const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [KEY] });
    replayed = await replayTranscript(server.url, KEY);
    await server.close();
    await core.close();
  });

  it("are all replayed, each under a name of its own", () => {
    expect(replayed).toHaveLength(128);
    expect(new Set(replayed.map(({ name }) => name)).size).toBe(128);
  });

  it("are answered with the same HTTP status and status, but for the listed differences", () => {
    const found = replayed.filter(({ counterpart, ours }) => counterpart !== ours);
    const listed = Object.entries(TRANSCRIPT_DIFFERENCES).map(([name, { counterpart, ours }]) => ({
      name,
      counterpart,
      ours,
    }));
    expect(found).toEqual(listed);
  });
});

describe("docs/core.md", () => {
  it("shows every difference with both answers and the reason", () => {
    const page = readFileSync(join(ROOT, "docs", "core.md"), "utf8");
    const missing = Object.entries(TRANSCRIPT_DIFFERENCES)
      .map(
        ([name, { counterpart, ours, reason }]) =>
          `| ${name} | \`${counterpart}\` | \`${ours}\` | ${reason} |`,
      )
      .filter((row) => !page.includes(row));
    expect(missing).toEqual([]);
  });
});
