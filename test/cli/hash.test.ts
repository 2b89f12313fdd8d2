import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, type CliResult, runCli, startCli } from "../support/cli.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { expectFailure, jsonLines, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const BCRYPT = KNOWN_HASHES.bcrypt.passwordHash;
const WORDPRESS = "$wp$2y$12$iWN5xRwDE7i9R5jVJvCyqOxS1CNnwUggQaF8O2W9Bg8TuXQz.ngrS";

interface Asked {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function ask(stdin: string | Buffer, { args = [], env = {} }: Asked = {}) {
  const result = await runCli(["hash", ...args], { cwd: workFolder(), env, stdin });
  return { ...result, answers: jsonLines(result.stdout) };
}

/** Runs a shell command in which `$HASH` is the command. */
async function shell(script: string): Promise<CliResult> {
  const { PATH = "" } = process.env;
  const env = { PATH, HASH: `${process.execPath} ${BIN} hash` };
  const child = spawn("sh", ["-c", script], { cwd: workFolder(), env, stdio: "pipe" });
  child.stdin.end();
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

describe.concurrent("hash", () => {
  it("answers each line of stdin with a JSON line, in order, and ends with 0", async () => {
    const stdin = `\uFEFF${BCRYPT.replace("$2a$", "$2b$")}\r\n\r\n${WORDPRESS}\n\0\n${BCRYPT}`;
    const { code, answers, stderr } = await ask(stdin);
    expect(code).toBe(0);
    expect(answers).toEqual([
      {
        ...{ type: "hash", v: 1, line: 1, verdict: "accepted", algorithm: "bcrypt", hash: BCRYPT },
        steps: ["trim", "bcrypt_2b_to_2a"],
        notices: expect.any(Array),
      },
      { type: "hash", v: 1, line: 2, verdict: "none" },
      {
        ...{ type: "hash", v: 1, line: 3, verdict: "refused", code: "wordpress_6_8" },
        hint: expect.stringMatching(/reset/),
      },
      { type: "hash", v: 1, line: 4, verdict: "none" },
      {
        ...{ type: "hash", v: 1, line: 5, verdict: "accepted", algorithm: "bcrypt", hash: BCRYPT },
        steps: [],
        notices: expect.any(Array),
      },
    ]);
    expect(stderr).toBe("5 lines answered: 2 accepted, 1 refused, 2 without a password\n");
  });

  it("says nothing but its answers under --quiet", async () => {
    const { stdout, stderr } = await ask(`${BCRYPT}\n`, { args: ["--quiet", "--json"] });
    expect(jsonLines(stdout)).toHaveLength(1);
    expect(stderr).toBe("");
  });

  it("answers nothing to nothing", async () => {
    const { code, stdout, stderr } = await ask("");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("0 lines answered");
  });
});

describe.concurrent("what hash is told beside the lines", () => {
  it("--from takes a source's name, also from the environment", async () => {
    const env = { AUTH_MIGRATE_FROM: "firebase" };
    const { answers } = await ask(`${BCRYPT}\n`, { env });
    expect(answers).toMatchObject([{ verdict: "accepted", notices: [] }]);
  });

  it("--allow-hash argon2-N takes outputs of that many bytes, and of no other", async () => {
    const head = "$argon2id$v=19$m=1024,t=2,p=1$T8Cla1aTchpiJBDcGnHSpw$";
    const lines = [40, 48, 24].map((bytes) => {
      return `${head}${Buffer.alloc(bytes, 0x5b).toString("base64").replaceAll("=", "")}\n`;
    });
    const codes = async (...args: readonly string[]): Promise<unknown[]> => {
      const { answers } = await ask(lines.join(""), { args });
      return answers.map(({ verdict, code }) => code ?? verdict);
    };
    expect(await codes()).toEqual(Array(3).fill("argon2_hash_length"));
    const allowed = ["accepted", "accepted", "argon2_hash_length"];
    expect(await codes("--allow-hash", "argon2-48,2x,argon2-40")).toEqual(allowed);
    const twice = ["--allow-hash", "argon2-48", "--allow-hash", "argon2-40"];
    expect(await codes(...twice)).toEqual(allowed);
  });

  it("--hash-config builds vendor scrypt hashes, and its signer key gets into no answer", async () => {
    const [, , hash, salt] = KNOWN_HASHES.vendor_scrypt.passwordHash.split("$");
    const line = `${JSON.stringify({ passwordHash: hash, salt })}\n`;
    const cwd = workFolder();
    writeInto(
      cwd,
      "hash-config.json",
      JSON.stringify({
        base64_signer_key: SIGNER_KEY,
        ...{ base64_salt_separator: "Bw==", rounds: 8, mem_cost: 14 },
      }),
    );
    const args = ["hash", "--hash-config", "hash-config.json"];
    const { stdout } = await runCli(args, { cwd, stdin: line });
    expect(jsonLines(stdout)).toMatchObject([
      { verdict: "accepted", hash: KNOWN_HASHES.vendor_scrypt.passwordHash },
    ]);
    expect(stdout).not.toContain(SIGNER_KEY.slice(0, 12));
    const unknown = await ask(line);
    expect(unknown.answers).toMatchObject([{ verdict: "refused", code: "hash_config_missing" }]);
  });

  it("never is a hash among the arguments, and one that is there isn't repeated", async () => {
    await expectFailure(
      ["hash", BCRYPT],
      { cwd: workFolder() },
      { code: "usage", says: /no arguments.*stdin/, next: /hash < hashes\.txt/ },
    );
    const { stdout, stderr } = await ask("", { args: [BCRYPT] });
    expect(stdout + stderr).not.toContain(BCRYPT.slice(7));
  });
});

describe.concurrent("hash ends early", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "on %s with its exit code, whole lines answered and no part of one",
    async (signal, exit) => {
      const run = startCli(["hash"], {
        cwd: workFolder(),
        stdin: `${BCRYPT}\n${BCRYPT.slice(0, 40)}`,
        stdinStaysOpen: true,
      });
      await run.firstLine();
      run.kill(signal);
      const { code, stdout, stderr } = await run.ended;
      expect(code).toBe(exit);
      expect(jsonLines(stdout)).toMatchObject([{ line: 1, verdict: "accepted" }]);
      expect(stderr).toBe("Stopping.\n");
    },
  );

  it("answers a line while the next one isn't there yet", async () => {
    const run = startCli(["hash"], {
      ...{ cwd: workFolder(), stdin: `${BCRYPT}\n`, stdinStaysOpen: true },
    });
    expect(JSON.parse(await run.firstLine())).toMatchObject({ line: 1, verdict: "accepted" });
    run.kill("SIGKILL");
    await run.ended;
  });

  it("where its reader goes away, in silence", async () => {
    const { stdout, stderr } = await shell("{ yes hunter2 | $HASH; echo $? >&2; } | head -n 2");
    expect(jsonLines(stdout)).toHaveLength(2);
    expect(stderr).toBe("0\n");
  });

  it("where its answers can't be written, with 74", async () => {
    const { stderr } = await shell("yes hunter2 | head -n 9999 | $HASH > /dev/full; echo $? >&2");
    expect(stderr).toMatch(/can't be written \(ENOSPC\)[\s\S]*Make room[\s\S]*\n74\n$/);
  });

  it("where stdin is a directory, with 66", async () => {
    const { stderr } = await shell("$HASH < . ; echo $? >&2");
    expect(stderr).toMatch(/stdin can't be read \(EISDIR\)[\s\S]*\n66\n$/);
  });
});

it("the docs' example is what the command answers", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/options.md"), "utf8");
  const shown = /^\$ auth-migrate hash --from django .*\n(\{.*\})$/m.exec(page)?.[1] ?? "{}";
  const { hash } = JSON.parse(shown);
  const { stdout } = await ask(`bcrypt$${hash.replace("$2a$", "$2b$")}\n`, {
    args: ["--from", "django"],
  });
  expect(stdout).toBe(`${shown}\n`);
});
