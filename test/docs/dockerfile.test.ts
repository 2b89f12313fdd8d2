import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HASH_CONFIG, USERS } from "../cli/support.js";
import { ROOT } from "../laws/source-files.js";
import { runCli } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { blocksOf, pageText } from "./support/blocks.js";

const newPath = temporaryPaths();

// No image is built here: what can go wrong in the text is looked at.
const INSTRUCTIONS = instructionsOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
const LET_IN = readFileSync(join(ROOT, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));
const PACKAGE = z
  .object({ bin: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

function instructionsOf(text: string): Instruction[] {
  const whole = text.replace(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  const lines = whole.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
}

function all(name: string): string[] {
  return INSTRUCTIONS.filter((each) => each.name === name).map(({ rest }) => rest);
}

/** What is copied from the checkout, and from the stage before. */
const COPIES = all("COPY").map((rest) => rest.split(/\s+/));
const FROM_CHECKOUT = COPIES.filter(([first]) => !first?.startsWith("--from")).flatMap((words) =>
  words.slice(0, -1),
);

describe("the Dockerfile", () => {
  it("has instructions alone", () => {
    expect(INSTRUCTIONS.filter(({ name }) => name === "")).toEqual([]);
  });

  it("leaves the build's tools in a stage of their own, on a Node.js that is supported", () => {
    const images = all("FROM");
    expect(images).toHaveLength(2);
    const oldest = Number(/\d+/.exec(PACKAGE.engines.node)?.[0]);
    for (const image of images) {
      expect(Number(/^node:(\d+)-/.exec(image)?.[1])).toBeGreaterThanOrEqual(oldest);
    }
  });

  it("copies what is there, and .dockerignore lets in that and nothing else", () => {
    expect(FROM_CHECKOUT.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect([...LET_IN].sort()).toEqual([...new Set(FROM_CHECKOUT)].sort());
    expect(readFileSync(join(ROOT, ".dockerignore"), "utf8")).toMatch(/^\*$/m);
  });

  it("copies what the build reads", () => {
    const built = [
      "tsconfig.json",
      "tsconfig.build.json",
      "src",
      "package-lock.json",
      "bin",
      "mappings",
      "words",
    ];
    expect(FROM_CHECKOUT).toEqual(expect.arrayContaining(built));
  });

  it("holds all that a command needs", async () => {
    const image = newPath("opt");
    mkdirSync(join(image, "dist"), { recursive: true });
    for (const words of COPIES.slice(COPIES.findIndex(([first]) => first?.startsWith("--from")))) {
      const [target = "", ...paths] = words.filter((word) => !word.startsWith("--")).reverse();
      const place = target.replace("/opt/auth-migrate", image);
      for (const path of paths.map((one) => join(ROOT, one.replace("/build/", "")))) {
        // What is copied from a folder is what is in it.
        symlinkSync(path, statSync(path).isDirectory() ? place : join(place, basename(path)));
      }
    }
    const bin = join(image, PACKAGE.bin["auth-migrate"] ?? "");
    const args = ["validate", USERS, "--hash-config", HASH_CONFIG];
    // A link leads back into the checkout, where all is, unless Node.js keeps to its name.
    const env = { NODE_OPTIONS: "--preserve-symlinks --preserve-symlinks-main" };
    const { code, stderr } = await runCli(args, { cwd: image, bin, env });
    expect(code, stderr).toBe(0);
  });

  it.each([
    ["docs/ci.md", 66, "users.csv does not exist"],
    ["docs/bridge.md", 66, "There is no vault"],
  ])(
    "is run by %s as the owner of the files, with words that the program knows",
    async (page, exitCode, says) => {
      const block = blocksOf(page, pageText(page)).find(({ text }) => text.includes("docker run"));
      const [options = "", words = ""] =
        block?.text
          .slice(block.text.indexOf("docker run"))
          .replaceAll("\\\n", " ")
          .split(/\sauth-migrate\s/) ?? [];
      expect(options).toContain('--user "$(id -u):$(id -g)"');
      expect(options).toContain(`--volume "$PWD:${all("WORKDIR").at(-1)}"`);
      const cwd = newPath("volume");
      mkdirSync(cwd);
      for (const name of ["key.txt", "bridge-key.txt"])
        writeFileSync(join(cwd, name), "a-long-key-of-theirs");
      writeFileSync(join(cwd, "vault.key"), Buffer.alloc(32, 7).toString("base64"));
      const args = words.replace(/>.*/, "").trim().split(/\s+/);
      const { code, stderr } = await runCli(args, {
        cwd,
        env: { AUTH_MIGRATE_API_KEY: "a-key-of-theirs" },
      });
      expect([code, stderr]).toEqual([exitCode, expect.stringContaining(says)]);
    },
  );

  it("starts the package's own program, as a user who isn't root", () => {
    const entry = z.array(z.string()).parse(JSON.parse(all("ENTRYPOINT")[0] ?? ""));
    expect(entry).toEqual(["node", `/opt/auth-migrate/${PACKAGE.bin["auth-migrate"]}`]);
    expect(all("USER")).toEqual(["node"]);
    const last = INSTRUCTIONS.map(({ name }) => name).lastIndexOf("RUN");
    expect(INSTRUCTIONS.findIndex(({ name }) => name === "USER")).toBeGreaterThan(last);
  });
});
