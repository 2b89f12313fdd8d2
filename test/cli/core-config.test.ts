import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CoreConfig, loadCoreConfig } from "../../src/cli/core-config.js";
import { withField } from "../../src/cli/core-config-file.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { OTHER, OWN } from "./setup/support/projects.js";
import { titled } from "./support.js";
import { tried } from "../support/repeated.js";

const path = temporaryPaths();

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
verification_threads: 2
verification_queue: 0
bulk_import_interval: 300000
data: /var/lib/core.db
`);
    const where = `${file}, line 2 (vendor_password_hashing_signer_key)`;
    expect(config).toEqual({
      signerKeys: [{ where, key: SIGNER_KEY }],
      apiKeys: ["quay-lantern-1", "quay-lantern-2"],
      port: 4567,
      host: "0.0.0.0",
      data: "/var/lib/core.db",
      queueIntervalMs: 300_000,
      options: {
        scryptPasswordEncoding: "ascii",
        codeLifetimeMs: 600_000,
        maxCodeInputAttempts: 3,
        verificationThreads: 2,
        verificationQueue: 0,
      },
    });
  });

  it("says nothing where it is empty or its fields are", async () => {
    const nothing = { signerKeys: [], apiKeys: [], options: {} };
    for (const text of ["", "# later\n", "port:\nhost: ~\napi_keys: null\n", "---\n...\n"]) {
      expect((await load(text)).config).toEqual(nothing);
    }
  });

  it("keeps keys to the letter that YAML could take for numbers", async () => {
    const { config } = await load("api_keys: 0123, 1e5,0x1F\n");
    expect(config.apiKeys).toEqual(["0123", "1e5", "0x1F"]);
  });

  it("may be JSON, begin with a byte-order mark and have Windows' line ends", async () => {
    expect((await load('{"port": 4567}')).config.port).toBe(4567);
    expect((await load('host: "[::1]"\n')).config.host).toBe("[::1]");
    expect((await load("\uFEFFport: 4567\r\nhost: ::1\r\n")).config).toMatchObject({
      port: 4567,
      host: "::1",
    });
  });

  it("takes the signer key by SuperTokens' name, too, and both of them", async () => {
    const { config, file } = await load(
      `vendor_password_hashing_signer_key: ${OWN.signerKey}\nfirebase_password_hashing_signer_key: ${OTHER.signerKey}\n`,
    );
    expect(config.signerKeys).toEqual([
      { where: `${file}, line 1 (vendor_password_hashing_signer_key)`, key: OWN.signerKey },
      { where: `${file}, line 2 (firebase_password_hashing_signer_key)`, key: OTHER.signerKey },
    ]);
  });

  const wrong = [
    {
      title: "a field that isn't known",
      text: "port: 1\ngarnet_prot: 3567\n",
      says: /line 2 has a field that isn't one of vendor_password_hashing_signer_key, .*database_pool_size/,
    },
    {
      title: "a field that is nearly known",
      text: "port: 1\napi_kesy: garnet\n",
      says: /line 2 has a field that isn't one of .*api_keys/,
    },
    {
      title: "a field in capitals",
      text: "PORT: 1\n",
      says: /line 1 has a field that isn't one of .*port/,
    },
    {
      title: "a field twice",
      text: "port: 1\nhost: a\nport: 2\n",
      says: /line 3 has a field for the second time/,
    },
    {
      title: "a tab",
      text: "# keys\napi_keys:\n\t- garnet\n",
      says: /line 3 is indented with a tab/,
    },
    {
      title: "a second document",
      text: "port: 1\n---\nhost: garnet\n",
      says: /line 2 begins a second document/,
    },
    {
      title: "a quotation mark that isn't closed",
      text: 'port: 1\napi_keys: "garnet\nhost: ::1\n',
      says: /lacks a quotation mark or bracket/,
    },
    {
      title: "a key that begins as no YAML value may",
      text: "api_keys: @garnet\n",
      says: /line 1 has a value that needs quotation marks/,
    },
    {
      title: "a key that YAML takes for an anchor",
      text: "port: 1\napi_keys: &garnet\n",
      says: /line 2 has an anchor, an alias or a tag/,
    },
    {
      title: "a key that YAML takes for a tag",
      text: "api_keys:\n  - !garnet\n",
      says: /line 2 has an anchor, an alias or a tag/,
    },
    {
      title: "an alias",
      text: "host: &h garnet\napi_keys: *h\n",
      says: /line 1 has an anchor, an alias or a tag/,
    },
    {
      title: "a merge",
      text: "<<: {port: 99999}\n",
      says: /line 1 has a field that isn't one of/,
    },
    {
      title: "a list in a list",
      text: "port: 1\napi_keys:\n  - [garnet]\n",
      says: /line 2: api_keys must be keys without spaces/,
    },
    { title: "UTF-16", text: "\uFEFFp\0o\0r\0t\0", says: /auth-core\.yaml is no text in UTF-8/ },
    { title: "one word", text: "garnet\n", says: /line 1 is no field with a value/ },
    { title: "no space behind a colon", text: "port:99999\n", says: /line 1 is no field/ },
    {
      title: "no verification thread",
      text: "verification_threads: 0\n",
      says: /line 1: verification_threads must be a whole number from 1/,
    },
    {
      title: "a list for a file",
      text: "data: [garnet]\n",
      says: /line 1: data must be one file name/,
    },
    {
      title: "a file name with a line break",
      text: 'data: "gar\\nnet"\n',
      says: /line 1: data must be one file name/,
    },
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

  const nested = [
    ["braces", "{a: ".repeat(15_000)],
    ["lists", `\n  ${"- ".repeat(30_000)}`],
    ["keys", "a: ".repeat(20_000)],
    ["questions", `\n  ${"? ".repeat(30_000)}`],
    ["brackets", "[".repeat(60_000)],
  ] as const;
  it.each(tried(nested, 2))(
    "nested thousands deep in %s is refused, and the process lives",
    async (_, nested) => {
      await expect(load(`port: 1\napi_keys: ${nested}`)).rejects.toMatchObject({
        code: "config_invalid",
        message: expect.stringMatching(/line [23] is(?: nested deeper than any field|n't YAML)/),
      });
    },
  );

  const unreadable = [
    { title: "a folder", make: (file: string) => mkdirSync(file), says: /: it is a folder\./ },
    { title: "no file", make: () => {}, says: /: there is no such file\./ },
    {
      title: "10 MB",
      make: (file: string) => writeFileSync(file, "port: 1\n".repeat(1_250_000)),
      says: /: it is larger than 64 KiB, so it must be another file\./,
    },
  ];
  it.each(titled(unreadable))("that is %s is refused by its name", async (_, { make, says }) => {
    const file = path("auth-core.yaml");
    make(file);
    await expect(loadCoreConfig(file, () => {}, { env: {} })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(says),
      hint: expect.stringMatching(/path/),
    });
  });

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
    expect(config.signerKeys[1]?.where).toBe("VENDOR_PASSWORD_HASHING_SIGNER_KEY");
  });

  it("is refused by the variable's name, without its value", async () => {
    const environment = { env: { PORT: "http" }, listens: true };
    await expect(loadCoreConfig(null, () => {}, environment)).rejects.toMatchObject({
      message: expect.stringMatching(/the variable PORT must be a whole number from 0 to 65535/),
    });
  });

  it("stops no import by a PORT, HOST or API_KEYS that means something else", async () => {
    const env = {
      PORT: "tcp://10.0.0.1:80",
      HOST: "x86_64 linux",
      API_KEYS: "two words",
      VERIFICATION_THREADS: "many",
      DATA: "/data",
    };
    const config = await loadCoreConfig(null, () => {}, { env });
    expect(config).toEqual({ signerKeys: [], apiKeys: [], options: {} });
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

  it("takes the place of its other name", () => {
    const text = `port: 1\nfirebase_password_hashing_signer_key: ${OTHER.signerKey}\n`;
    const names = [
      "vendor_password_hashing_signer_key",
      "firebase_password_hashing_signer_key",
    ] as const;
    expect(withField(text, names[0], OWN.signerKey, names[1])).toBe(
      `port: 1\nvendor_password_hashing_signer_key: ${OWN.signerKey}\n`,
    );
  });

  it("begins a file that has nothing but a comment", () => {
    expect(withField("# keep out\n", "port", "1")).toMatch(/^# keep out\n\s*port: 1\n$/);
  });
});
