import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeTogether } from "../../../src/cli/setup/write-together.js";
import { workFolders } from "../support.js";

const workFolder = workFolders();

function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function file(folder: string, name: string, replace = false) {
  return { path: join(folder, name), content: `new ${name}\n`, replace };
}

describe("files that are written together", () => {
  it("are all there, for their owner alone, with nothing beside them", () => {
    const folder = workFolder();
    writeFileSync(join(folder, "core.yaml"), "port: 1\n", { mode: 0o644 });
    writeTogether([file(folder, "setup.json"), file(folder, "core.yaml", true)]);
    expect(contents(folder)).toEqual({
      "setup.json": "new setup.json\n",
      "core.yaml": "new core.yaml\n",
    });
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("are none where one is there that may not be replaced", () => {
    const folder = workFolder();
    writeFileSync(join(folder, "core.yaml"), "port: 1\n");
    expect(() => writeTogether([file(folder, "setup.json"), file(folder, "core.yaml")])).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(/core\.yaml/),
      }),
    );
    expect(contents(folder)).toEqual({ "core.yaml": "port: 1\n" });
  });

  it("are none where one can't be written", () => {
    const folder = workFolder();
    const elsewhere = file(folder, "missing/core.yaml");
    expect(() => writeTogether([file(folder, "setup.json"), elsewhere])).toThrow(
      expect.objectContaining({ code: "disk", message: expect.stringMatching(/ENOENT/) }),
    );
    expect(contents(folder)).toEqual({});
  });

  it("go back to what they were where another file came to be in the meantime", () => {
    const folder = workFolder();
    writeFileSync(join(folder, "setup.json"), "old\n");
    const moves = [file(folder, "setup.json", true), file(folder, "notes.json")];
    const overtaken = {
      ...file(folder, "core.yaml"),
      // Read when nothing was in the way yet.
      get content() {
        writeFileSync(this.path, "somebody else's\n");
        return "new core.yaml\n";
      },
    };
    expect(() => writeTogether([...moves, overtaken])).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
    expect(contents(folder)).toEqual({ "setup.json": "old\n", "core.yaml": "somebody else's\n" });
  });

  it("leave a link a link, and write what it leads to", () => {
    const folder = workFolder();
    writeFileSync(join(folder, "shared.yaml"), "port: 1\n");
    symlinkSync("shared.yaml", join(folder, "core.yaml"));
    writeTogether([file(folder, "core.yaml", true)]);
    expect(readFileSync(join(folder, "shared.yaml"), "utf8")).toBe("new core.yaml\n");
    expect(readdirSync(folder).sort()).toEqual(["core.yaml", "shared.yaml"]);
  });
});
