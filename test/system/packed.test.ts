import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { HASH_CONFIG, summaryOf, USERS } from "../cli/support.js";
import { allBlocks, type Block, sessionsOf } from "../docs/support/blocks.js";
import { follow } from "../docs/support/follow.js";
import { ROOT } from "../laws/source-files.js";
import { runCli } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { installInto, packInto } from "./support/packed.js";

const run = promisify(execFile);
const newPath = temporaryPaths();
/** What our users compile with: the newest, and the last one that was written in TypeScript. */
const COMPILERS = ["typescript", "typescript-5"] as const;
/** As strict as TypeScript gets, with no types but those that the package brings; our own declarations are checked as well. */
const STRICT = {
  ...{ target: "es2023", lib: ["es2023"], types: [] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ verbatimModuleSyntax: true, skipLibCheck: false, resolveJsonModule: true },
};

function isCommand({ language, directive }: Block): boolean {
  return (language === "sh" || language === "console") && directive.skip === "";
}

describe("the packed package", () => {
  let tarball = "";
  let project = "";
  beforeAll(() => {
    const folder = newPath("packed");
    mkdirSync(folder);
    tarball = packInto(folder);
    project = newPath("project");
    mkdirSync(project);
    installInto(project, tarball);
    cpSync(join(ROOT, "test/library/examples"), join(project, "examples"), { recursive: true });
  });

  it("has nothing that publint would mend", async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(tarball);
    const packed = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that are right for every resolution, of ES modules alone", async () => {
    const data = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
    const result = await checkPackage(data);
    const problems = result.types === false ? ["no types"] : result.problems;
    // That `require` finds an ES module is so; Node.js lets it since 20.19.
    expect(problems).toEqual([
      { kind: "CJSResolvesToESM", entrypoint: ".", resolutionKind: "node16-cjs" },
    ]);
  });

  /** Compiles a folder's programs as a user's build would, and answers what the compiler says. */
  async function compile(
    compiler: (typeof COMPILERS)[number],
    resolution: Readonly<Record<string, string | readonly string[]>>,
    folder = "examples",
  ): Promise<string> {
    const compilerOptions = { ...STRICT, rootDir: folder, outDir: "built", ...resolution };
    const config = `tsconfig.${folder}.${resolution.moduleResolution}.json`;
    const tsc = join(ROOT, "node_modules", compiler, "bin/tsc");
    writeFileSync(join(project, config), JSON.stringify({ compilerOptions, include: [folder] }));
    const compiling = run(process.execPath, [tsc, "-p", config], { cwd: project });
    return (await compiling.catch((error: { readonly stdout: string }) => error)).stdout;
  }

  it.each(COMPILERS)(
    "lets programs compile by %s under nodenext, and what they import is imported",
    async (compiler) => {
      expect(await compile(compiler, { module: "nodenext", moduleResolution: "nodenext" })).toBe(
        "",
      );
      const folder = newPath("run");
      mkdirSync(folder);
      copyFileSync(USERS, join(folder, "users.csv"));
      const program = join(project, "built/import.js");
      const { stdout } = await run(process.execPath, [program], { cwd: folder });
      expect(stdout).toBe("200 users brought, 40 rejected\n");
    },
  );

  it.each(COMPILERS)("lets programs compile by %s under bundler", async (compiler) => {
    expect(await compile(compiler, { module: "esnext", moduleResolution: "bundler" })).toBe("");
  });

  it.each(COMPILERS)(
    "lets the programs of its pages compile by %s, and the source of one's own",
    async (compiler) => {
      mkdirSync(join(project, "pages"), { recursive: true });
      const programs = allBlocks().filter(
        ({ language, text }) => /^[jt]s$/.test(language) && text.includes('from "auth-migrate"'),
      );
      for (const [at, { text }] of programs.entries()) {
        writeFileSync(join(project, "pages", `program-${at}.ts`), text);
      }
      expect(programs.map(({ where }) => where.replace(/:.*/, ""))).toEqual(
        expect.arrayContaining(["README.md", "docs/library.md", "docs/mappings.md"]),
      );
      const types = { types: ["node"], module: "nodenext", moduleResolution: "nodenext" };
      expect(await compile(compiler, types, "pages")).toBe("");
    },
  );

  it("can be loaded by require, too", async () => {
    const code = 'console.log(typeof require("auth-migrate").importUsers)';
    const { stdout } = await run(process.execPath, ["-e", code], { cwd: project });
    expect(stdout).toBe("function\n");
  });

  it("has its schemas where its exports say", async () => {
    const code =
      'import any from "auth-migrate/schemas/line.json" with { type: "json" }; console.log(any.oneOf.length > 20);';
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], {
      cwd: project,
    });
    expect(stdout).toBe("true\n");
  });

  it.each(
    sessionsOf(allBlocks().filter(isCommand))
      .filter(([block]) => /^(?:README|docs\/tutorial)\.md/.test(block?.where ?? ""))
      .map((blocks) => [blocks[0]?.where ?? "", blocks] as const),
  )("lets a newcomer follow %s to the letter", async (_where, blocks) => {
    const bin = join(project, "node_modules/auth-migrate/bin/auth-migrate.js");
    await follow(newPath("session"), blocks, bin);
  });

  it("imports from its own command", async () => {
    const bin = join(project, "node_modules/auth-migrate/bin/auth-migrate.js");
    const cwd = newPath("work");
    mkdirSync(cwd);
    const args = ["import", USERS, "--hash-config", HASH_CONFIG, "--json"];
    const { code, stdout, stderr } = await runCli(args, { cwd, bin });
    expect(code, stderr).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ imported: 180, created: 60, exitCode: 0 });
  });

  it("checks a mapping and a module of one's own, and names each fault that is planted", async () => {
    const file = join(project, "members.json");
    const user = { acmeId: "a1", mail: "ann@example.com", mailConfirmed: true, locks: [] };
    const users = [
      user,
      { ...user, acmeId: "a2", mail: "bob@example.com", locks: [{ until: null }] },
    ];
    // Of two lists the mapping has to say which holds the users.
    writeFileSync(file, JSON.stringify({ data: { users, teams: [{ team: "moss" }] } }));
    const [, shown = ""] =
      /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/mappings.md"), "utf8")) ?? [];
    const mapping = `name: acme
title: Acme
pages: [https://acme.example.com]
users: data.users
recognize: [[acmeId, locks]]
id: acmeId
email: mail
email_verified: mailConfirmed
hash: bcrypt
flags:
  "locks[0] && 'yes'": { values: { "yes": disabled, "": in } }
`;
    const check = async (name: string, text: string, ...more: string[]) => {
      writeFileSync(join(project, name), text);
      const bin = join(project, "node_modules/auth-migrate/bin/auth-migrate.js");
      const args = [bin, "check-source", `./${name}`, "members.json", ...more];
      return run(process.execPath, args, { cwd: project }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout, stderr }) => ({ code, stdout: `${stdout}${stderr}` }),
      );
    };
    expect(await check("acme.mjs", shown, "--write-expected")).toEqual({
      code: 0,
      stdout: expect.stringContaining("nothing at fault"),
    });
    expect(await check("acme.yaml", mapping)).toEqual({
      code: 0,
      stdout: expect.stringContaining("nothing at fault"),
    });
    for (const [from, to, fault] of [
      ['"locks"]]', '"locked"]]', "not_recognized"],
      ['["acmeId", "locks"]', '["email"]', "takes_any"],
      ["return {\n      id", "return {\n      ident", "row_malformed"],
      ["id: acmeId", 'id: ""', "id_missing"],
      ["email: mail", 'email: ""', "contact_missing"],
      [', verified: "mailConfirmed"', "", "field_without_fate"],
      ["isLocked ? ", "!isLocked ? ", "not_as_expected"],
      [
        "email: mail,",
        'email: (globalThis.n = (globalThis.n ?? 0) + 1) > 3 ? "" : mail,',
        "differs_again",
      ],
      ["export default", "export const acme =", "is no source"],
      ["user(", "users(", "is no source"],
    ] as const) {
      expect(shown).toContain(from);
      const { code, stdout } = await check("acme.mjs", shown.replace(from, to));
      expect(code).not.toBe(0);
      expect(stdout).toContain(fault);
    }
    for (const [from, to, fault] of [
      ["[[acmeId, locks]]", "[[acmeId, locked]]", "not_recognized"],
      ["[[acmeId, locks]]", "[[email]]", "takes_any"],
      ["users: data.users", "users: data.members", "not_recognized"],
      ["id: acmeId", "id: acme_id", "id_missing"],
      ["email: mail", "email: email", "contact_missing"],
      ["email_verified: mailConfirmed\n", "", "field_without_fate"],
      ['"yes": disabled', '"yes": in', "not_as_expected"],
      ['"": in', '"no": in', "not_as_expected"],
      ["id: acmeId", "ident: acmeId", "acme.yaml, line"],
      ["locks[0]", "locks[0", "can't be read"],
    ] as const) {
      expect(mapping).toContain(from);
      const { code, stdout } = await check("acme.yaml", mapping.replace(from, to));
      expect(code).not.toBe(0);
      expect(stdout).toContain(fault);
    }
  });
});
