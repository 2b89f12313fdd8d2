import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { writeInto } from "../cli/support.js";
import { ROOT } from "../laws/source-files.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const run = promisify(execFile);
const TEXT = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
const Step = z.object({ uses: z.string().optional(), run: z.string().optional() });
const Job = z.object({
  needs: z.union([z.string(), z.array(z.string())]).default([]),
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  steps: z.array(Step),
});
const CHECK = readFileSync(join(ROOT, ".github/workflows/check.yml"), "utf8");
const { jobs } = z
  .object({ permissions: z.object({}).strict(), jobs: z.record(z.string(), Job) })
  .parse(parse(TEXT));

describe("the release", () => {
  it("publishes nothing before all is checked, and tells of nothing that isn't published", () => {
    expect(jobs.check?.steps.map((step) => step.run)).toContainEqual(
      expect.stringMatching(/bash \.ci\/run$/),
    );
    expect(jobs.package?.needs).toBe("check");
    expect(jobs.image?.needs).toBe("check");
    expect(jobs.release?.needs).toEqual(["package", "image"]);
  });

  it("leaves no test out, and checks each push and pull request by the same script", () => {
    expect(TEXT).toContain('sudo env "PATH=$PATH" AUTH_MIGRATE_SYSTEM_TESTS=all bash .ci/run\n');
    const check = z.object({ on: z.object({ push: z.unknown(), pull_request: z.unknown() }) });
    expect(check.safeParse(parse(CHECK)).success).toBe(true);
    expect(CHECK).toContain("run: bash .ci/run");
  });

  it("has the section of its version in the changelog", async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
    const script = join(ROOT, "scripts/release-notes.js");
    const { stdout } = await run(process.execPath, [script, `v${version}`], { cwd: ROOT });
    expect(stdout).toContain("Import");
  });

  it("takes one secret, which one job sees, and gives each job what it needs", () => {
    expect(TEXT.match(/secrets\.\w+/g)).toEqual(["secrets.NPM_TOKEN"]);
    expect(jobs.package?.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(jobs.release?.permissions).toEqual({ contents: "write" });
  });

  it("has provenance for the package and the image, which it names by digest", () => {
    expect(jobs.package?.steps.at(-1)?.run).toMatch(/npm publish --provenance/);
    const uses = jobs.image?.steps.map((step) => step.uses).join("\n");
    expect(uses).toMatch(/attest-build-provenance/);
    expect(TEXT).toMatch(/name: \$\{\{ steps\.name\.outputs\.name \}\}@\$\{\{ .*digest \}\}/);
  });
});

describe("its notes", () => {
  function notes(version: string, ...args: readonly string[]) {
    const cwd = newPath("release");
    mkdirSync(cwd);
    writeInto(cwd, "package.json", JSON.stringify({ version }));
    const changes = ["## Unreleased", "- later", "## 1.2.0 - 2026-12-01", "### Added", "- this"];
    const before = ["## 1.1.0", "- earlier"];
    writeInto(cwd, "CHANGELOG.md", ["# Changelog", ...changes, ...before, ""].join("\n\n"));
    return run(process.execPath, [join(ROOT, "scripts/release-notes.js"), ...args], { cwd });
  }

  it("are the changelog's section of the version, and the image", async () => {
    const { stdout } = await notes("1.2.0", "v1.2.0", "images.example.com/am@sha256:0f");
    expect(stdout).toBe(
      "### Added\n\n- this\n\n## Image\n\n```\nimages.example.com/am@sha256:0f\n```\n",
    );
  });

  it.each([
    ["another version's tag", "1.2.0", "v1.2.1", /the tag is v1\.2\.1/],
    ["a version that the changelog doesn't have", "1.3.0", "v1.3.0", /no section 1\.3\.0/],
  ])("are none of %s", async (_what, version, tag, says) => {
    await expect(notes(version, tag)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(says),
    });
  });
});
