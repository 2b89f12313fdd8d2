import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CoreConfig, loadCoreConfig } from "../../src/cli/core-config.js";
import { withField } from "../../src/cli/core-config-file.js";
import { runCli, startServe } from "../support/cli.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { OTHER, OWN } from "./setup/support/projects.js";
import { callCore, expectFailure, titled, workFolders, writeInto } from "./support.js";

const path = temporaryPaths();
const workFolder = workFolders();

interface Loaded {
  readonly config: CoreConfig;
  readonly file: string;
  readonly notes: readonly string[];
}

async function load(text: string, env: NodeJS.ProcessEnv = {}, mode = 0o600): Promise<Loaded> {
  const file = path("auth-core.yaml");
  writeFileSync(file, text);
  chmodSync(file, mode);
  const notes: string[] = [];
  const config = await loadCoreConfig(file, (line) => notes.push(line), { env, listens: true });
  return { config, file, notes };
}

describe("the core's configuration file", () => {
  it("gives every field its value", async () => {
    const { config, file } = await load(`# a rehearsal
vendor_password_hashing_signer_key: ${SIGNER_KEY}
vendor_scrypt_password_encoding: ascii
api_keys: [ "quay-lantern-1", quay-lantern-2 ]
port: 4567
host: 0.0.0.0
passwordless_code_lifetime: 600000
passwordless_max_code_input_attempts: 3
`);
    expect(config).toEqual({
      signerKeys: [{ where: file, key: SIGNER_KEY }],
      apiKeys: ["quay-lantern-1", "quay-lantern-2"],
      port: 4567,
      host: "0.0.0.0",
      options: {
        scryptPasswordEncoding: "ascii",
        codeLifetimeMs: 600_000,
        maxCodeInputAttempts: 3,
      },
    });
  });

  it("says nothing where it is empty or its fields are", async () => {
    const nothing = { signerKeys: [], apiKeys: [], port: undefined, host: undefined, options: {} };
    for (const text of ["", "# later\n", "port:\nhost: ~\napi_keys: null\n"]) {
      expect((await load(text)).config).toEqual(nothing);
    }
  });

  it("keeps keys to the letter that YAML could take for numbers", async () => {
    const { config } = await load("api_keys: 0123, 1e5,0x1F\n");
    expect(config.apiKeys).toEqual(["0123", "1e5", "0x1F"]);
  });

  const wrong = [
    {
      title: "a field that isn't known",
      text: "port: 1\nprot: 3567\n",
      says: /line 2 has a field/,
    },
    { title: "a field twice", text: "port: 1\nhost: a\nport: 2\n", says: /line 3 isn't YAML/ },
    { title: "no YAML", text: "port: 1\nhost: a: b\n", says: /line 2 isn't YAML/ },
    { title: "a list", text: "# keys\n- one\n- two\n", says: /line 2 is no field/ },
    {
      title: "a cut-off key",
      text: `\nvendor_password_hashing_signer_key: ${SIGNER_KEY.slice(0, 60)}\n`,
      says: /line 2: vendor_password_hashing_signer_key must be base64 of 64 bytes/,
    },
    {
      title: "a port that is none",
      text: "port: 99999\n",
      says: /line 1: port must be a whole number from 0 to 65535/,
    },
    { title: "a list for a number", text: "port: [1, 2]\n", says: /line 1: port must be/ },
    {
      title: "another encoding",
      text: "vendor_scrypt_password_encoding: latin1\n",
      says: /must be utf8 or ascii/,
    },
    {
      title: "a key with a space",
      text: "api_keys: garnet quay\n",
      says: /line 1: api_keys must be keys without spaces/,
    },
    {
      title: "fields inside a field",
      text: "api_keys:\n  one: garnet\n",
      says: /line 1: api_keys must be/,
    },
    {
      title: "a lifetime of nothing",
      text: "passwordless_code_lifetime: 0\n",
      says: /line 1: passwordless_code_lifetime must be/,
    },
  ];
  it.each(titled(wrong))(
    "with %s is refused, naming the line and no value",
    async (_t, { text, says }) => {
      const error = await load(text).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "config_invalid", message: expect.stringMatching(says) });
      const told = JSON.stringify(error) + String(error);
      for (const value of ["garnet", "99999", "latin1", SIGNER_KEY.slice(0, 12)]) {
        expect(told.includes(value)).toBe(false);
      }
    },
  );

  it("that others can read is noted where it holds a secret, and only there", async () => {
    const key = `vendor_password_hashing_signer_key: ${SIGNER_KEY}\n`;
    expect((await load(key, {}, 0o644)).notes).toEqual([expect.stringMatching(/chmod 600/)]);
    expect((await load("api_keys: quay-lantern-1\n", {}, 0o640)).notes).toHaveLength(1);
    expect((await load(key, {}, 0o600)).notes).toEqual([]);
    expect((await load("port: 4567\n", {}, 0o644)).notes).toEqual([]);
  });
});

describe("the environment", () => {
  it("wins over the file, field by field", async () => {
    const env = {
      PORT: "5000",
      API_KEYS: "one,two",
      PASSWORDLESS_CODE_LIFETIME: " 1000 ",
      HOST: "",
    };
    const { config } = await load("port: 4567\nhost: 127.0.0.2\napi_keys: three\n", env);
    expect(config).toMatchObject({ port: 5000, host: "127.0.0.2", apiKeys: ["one", "two"] });
    expect(config.options).toEqual({ codeLifetimeMs: 1000 });
  });

  it("adds its signer key to the file's, so that two that differ are seen", async () => {
    const env = { VENDOR_PASSWORD_HASHING_SIGNER_KEY: OWN.signerKey };
    const { config } = await load(`vendor_password_hashing_signer_key: ${SIGNER_KEY}\n`, env);
    expect(config.signerKeys.map(({ key }) => key)).toEqual([SIGNER_KEY, OWN.signerKey]);
  });

  it("is refused by the variable's name, without its value", async () => {
    const environment = { env: { PORT: "http" }, listens: true };
    await expect(loadCoreConfig(null, () => {}, environment)).rejects.toMatchObject({
      message: expect.stringMatching(/the variable PORT must be a whole number from 0 to 65535/),
    });
  });

  it("stops no import by a PORT, HOST or API_KEYS that means something else", async () => {
    const env = { PORT: "tcp://10.0.0.1:80", HOST: "x86_64 linux", API_KEYS: "two words" };
    await expect(loadCoreConfig(null, () => {}, { env })).resolves.toMatchObject({ apiKeys: [] });
  });
});

describe("a field that is set in a file's text", () => {
  it("is added, and all else stays", () => {
    const text = "# the rehearsal's core\nport: 4000 # free\n\napi_keys: [a, b]\n";
    const changed = withField(text, "host", "127.0.0.1");
    expect(changed).toContain("# the rehearsal's core\nport: 4000 # free\n");
    expect(changed).toMatch(/\nhost: 127\.0\.0\.1\n$/);
  });

  it("takes the place of its old value, however long it is", () => {
    const text = `vendor_password_hashing_signer_key: ${OTHER.signerKey}\nport: 1\n`;
    expect(withField(text, "vendor_password_hashing_signer_key", OWN.signerKey)).toBe(
      `vendor_password_hashing_signer_key: ${OWN.signerKey}\nport: 1\n`,
    );
  });

  it("begins a file that has nothing but a comment", () => {
    expect(withField("# keep out\n", "port", "1")).toMatch(/^# keep out\n\s*port: 1\n$/);
  });
});

describe.concurrent("the commands", () => {
  const yaml = (key: string): string => `vendor_password_hashing_signer_key: ${key}\n`;

  it("serve reads auth-core.yaml from the working directory: keys, port and host", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", "api_keys: [quay-lantern-1, quay-lantern-2]\nport: 1\n");
    const core = await startServe({ cwd, env: { AUTH_MIGRATE_API_KEY: "" } });
    for (const apiKey of ["quay-lantern-1", "quay-lantern-2"]) {
      expect(await callCore({ ...core, apiKey }, "/users/count")).toMatchObject({ status: "OK" });
    }
    expect(
      await callCore({ ...core, apiKey: "quay-lantern-3" }, "/users/count"),
    ).not.toHaveProperty("status");
    await core.stop();
  });

  it("serve runs its core by the file: the lifetime of codes", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", "passwordless_code_lifetime: 123456\n");
    const core = await startServe({ cwd });
    const code = await callCore(core, "/recipe/signinup/code", { email: "ann@example.com" });
    expect(code).toMatchObject({ codeLifetime: 123_456 });
    await core.stop();
  });

  it("serve takes the port of the file where no flag gives one", async () => {
    const cwd = workFolder();
    writeInto(cwd, "core.yaml", "port: 70000\n");
    const failure = {
      exitCode: 78,
      code: "config_invalid",
      says: /core\.yaml, line 1: port/,
      next: /upper case/,
    };
    await expectFailure(["serve", "--core-config", "core.yaml"], { cwd }, failure);
  });

  it("import stops at two signer keys that differ, naming both places", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", yaml(OTHER.signerKey));
    const args = ["import", OWN.users, "--hash-config", OWN.hashConfig];
    const says = /--hash-config and the one in auth-core\.yaml differ/;
    const failure = { exitCode: 78, code: "signer_key_conflict", says, next: /remove the other/ };
    await expectFailure(args, { cwd }, failure);
  });

  it("import leaves the file of an embedded core alone where the core is remote", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", yaml(OTHER.signerKey));
    const args = [
      "import",
      OWN.users,
      "--hash-config",
      OWN.hashConfig,
      "--core",
      "http://127.0.0.1:9",
    ];
    const { code } = await runCli(args, { cwd, env: { AUTH_MIGRATE_API_KEY: "quay-lantern-1" } });
    expect(code).toBe(69);
  });

  it("import takes parameters from the configuration file and the key from the core's", async () => {
    const cwd = workFolder();
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ hashConfig }));
    writeInto(cwd, "auth-core.yaml", yaml(OWN.signerKey));
    const { code, stdout } = await runCli(["import", OWN.users, "--json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('"imported":8');
  });

  it("import without the key at the embedded core stops before anybody is sent", async () => {
    const cwd = workFolder();
    const hashConfig = { rounds: 8, mem_cost: 14, base64_salt_separator: "Bw==" };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ hashConfig }));
    const failure = { exitCode: 78, code: "signer_key_missing", says: /signer/, next: /./ };
    await expectFailure(["import", OWN.users], { cwd }, failure);
  });
});
