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

  const wrong: readonly [string, string, RegExp][] = [
    [
      "a field that isn't known",
      "port: 1\ngarnet_prot: 3567\n",
      /line 2 has a field that isn't one of vendor_password_hashing_signer_key, .*database_pool_size/,
    ],
    [
      "a field that is nearly known",
      "port: 1\napi_kesy: garnet\n",
      /line 2 has a field that isn't one of .*api_keys/,
    ],
    ["a field in capitals", "PORT: 1\n", /line 1 has a field that isn't one of .*port/],
    ["a field twice", "port: 1\nhost: a\nport: 2\n", /line 3 has a field for the second time/],
    ["a tab", "# keys\napi_keys:\n\t- garnet\n", /line 3 is indented with a tab/],
    ["a second document", "port: 1\n---\nhost: garnet\n", /line 2 begins a second document/],
    [
      "a quotation mark that isn't closed",
      'port: 1\napi_keys: "garnet\nhost: ::1\n',
      /lacks a quotation mark or bracket/,
    ],
    [
      "a key that begins as no YAML value may",
      "api_keys: @garnet\n",
      /line 1 has a value that needs quotation marks/,
    ],
    [
      "a key that YAML takes for an anchor",
      "port: 1\napi_keys: &garnet\n",
      /line 2 has an anchor, an alias or a tag/,
    ],
    [
      "a key that YAML takes for a tag",
      "api_keys:\n  - !garnet\n",
      /line 2 has an anchor, an alias or a tag/,
    ],
    ["an alias", "host: &h garnet\napi_keys: *h\n", /line 1 has an anchor, an alias or a tag/],
    ["a merge", "<<: {port: 99999}\n", /line 1 has a field that isn't one of/],
    [
      "a list in a list",
      "port: 1\napi_keys:\n  - [garnet]\n",
      /line 2: api_keys must be keys without spaces/,
    ],
    ["UTF-16", "\uFEFFp\0o\0r\0t\0", /auth-core\.yaml is no text in UTF-8/],
    ["one word", "garnet\n", /line 1 is no field with a value/],
    ["no space behind a colon", "port:99999\n", /line 1 is no field/],
    [
      "no verification thread",
      "verification_threads: 0\n",
      /line 1: verification_threads must be a whole number from 1/,
    ],
    ["a list for a file", "data: [garnet]\n", /line 1: data must be one file name/],
    ["a file name with a line break", 'data: "gar\\nnet"\n', /line 1: data must be one file name/],
    ["no YAML", "port: 1\nhost: a: b\n", /line 2 isn't YAML/],
    ["a list", "# keys\n- one\n- two\n", /line 2 is no field/],
    [
      "a cut-off key",
      `\nvendor_password_hashing_signer_key: ${SIGNER_KEY.slice(0, 60)}\n`,
      /line 2: vendor_password_hashing_signer_key must be base64 of 64 bytes/,
    ],
    ["a port that is none", "port: 99999\n", /line 1: port must be a whole number from 0 to 65535/],
    ["a list for a number", "port: [1, 2]\n", /line 1: port must be/],
    ["another encoding", "vendor_scrypt_password_encoding: latin1\n", /must be utf8 or ascii/],
    [
      "a key with a space",
      "api_keys: garnet quay\n",
      /line 1: api_keys must be keys without spaces/,
    ],
    ["fields inside a field", "api_keys:\n  one: garnet\n", /line 1: api_keys must be/],
    [
      "a lifetime of nothing",
      "passwordless_code_lifetime: 0\n",
      /line 1: passwordless_code_lifetime must be/,
    ],
  ];
  it.each(wrong)("with %s is refused, naming the line and no value", async (_what, text, says) => {
    const error = await load(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "config_invalid", message: expect.stringMatching(says) });
    const told = JSON.stringify(error) + String(error);
    for (const value of ["garnet", "99999", "latin1", SIGNER_KEY.slice(0, 12)]) {
      expect(told.includes(value)).toBe(false);
    }
  });

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
