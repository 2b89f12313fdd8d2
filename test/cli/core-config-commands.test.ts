import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { OTHER, OWN } from "./setup/support/projects.js";
import { callCore, expectFailure, titled, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const yaml = (key: string): string => `vendor_password_hashing_signer_key: ${key}\n`;

describe.concurrent("serve", () => {
  it("reads auth-core.yaml from the working directory: keys, port and host", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", "api_keys: [quay-lantern-1, quay-lantern-2]\nport: 1\n");
    const core = await serveHere({ cwd, env: { AUTH_MIGRATE_API_KEY: "" } });
    for (const apiKey of ["quay-lantern-1", "quay-lantern-2"]) {
      expect(await callCore({ ...core, apiKey }, "/users/count")).toMatchObject({ status: "OK" });
    }
    expect(
      await callCore({ ...core, apiKey: "quay-lantern-3" }, "/users/count"),
    ).not.toHaveProperty("status");
    await core.stop();
  });

  it("runs its core by the file: the lifetime of codes", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", "passwordless_code_lifetime: 123456\n");
    const core = await serveHere({ cwd });
    const code = await callCore(core, "/recipe/signinup/code", { email: "ann@example.com" });
    expect(code).toMatchObject({ codeLifetime: 123_456 });
    await core.stop();
  });

  it("is configured by one file whole, that --config names: data, keys, host", async () => {
    const cwd = workFolder();
    const fields = ["data: quay.db", "api_keys: garnet-lantern-quay-0001"];
    writeInto(cwd, "core.yaml", [...fields, "host: 127.0.0.2", ""].join("\n"));
    const env = { AUTH_MIGRATE_API_KEY: "" };
    const apiKey = "garnet-lantern-quay-0001";
    const core = await serveHere({ cwd, env, args: ["--config", "core.yaml"] });
    expect(core.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect(await callCore({ ...core, apiKey }, "/users/count")).toMatchObject({ count: 0 });
    expect((await core.stop()).code).toBe(0);
    expect(existsSync(join(cwd, "quay.db"))).toBe(true);
    expect(existsSync(join(cwd, "auth-core.db"))).toBe(false);
  });

  it("is told by a flag, else by its variable, else by a variable of the core, else by the options' file, else by the core's", async () => {
    const cwd = workFolder();
    const host = (last: number): string => `127.0.0.${last}`;
    writeInto(cwd, "core.yaml", `host: ${host(2)}\n`);
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ host: host(3) }));
    const config = ["--config", "core.yaml"];
    const listens = async (args: string[], env: Record<string, string>): Promise<string> => {
      const core = await serveHere({ cwd, env, args: [...config, ...args] });
      await core.stop();
      return new URL(core.url).hostname;
    };
    const env = { HOST: host(4), AUTH_MIGRATE_HOST: host(5) };
    expect(await listens(["--host", host(6)], env)).toBe(host(6));
    expect(await listens([], env)).toBe(host(5));
    expect(await listens([], { HOST: host(4) })).toBe(host(4));
    expect(await listens([], {})).toBe(host(3));
    writeInto(cwd, "auth-migrate.config.json", "{}");
    expect(await listens([], {})).toBe(host(2));
  });

  it("takes --core-config before a variable that names another", async () => {
    const cwd = workFolder();
    writeInto(cwd, "one.yaml", "host: 127.0.0.2\n");
    writeInto(cwd, "two.yml", "host: 127.0.0.3\n");
    const env = { AUTH_MIGRATE_CONFIG: "two.yml" };
    const core = await serveHere({ cwd, env, args: ["--core-config", "one.yaml"] });
    expect(core.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    await core.stop();
    const again = ["--config", "./one.yaml", "--core-config", "one.yaml"];
    await (await serveHere({ cwd, args: again })).stop();
  });

  const failures = [
    {
      title: "a port out of range, naming the line",
      yaml: "# here\nport: 70000\n",
      code: "config_invalid",
      says: /core\.yaml, line 2: port must be a whole number/,
      next: /upper case/,
    },
    {
      title: "two configurations of one core",
      args: ["--core-config", "other.yaml"],
      code: "usage",
      says: /--config core\.yaml and --core-config other\.yaml are two/,
      next: /Name one of them/,
    },
    {
      title: "a data file without a name",
      args: ["--data", ""],
      code: "usage",
      says: /'--data <place>' argument '' is invalid\. It must not be empty/,
      next: /serve --help/,
    },
  ];
  it.each(titled(failures))(
    "stops at %s",
    async (_, { yaml: text = "", args = [], ...failure }) => {
      const cwd = workFolder();
      writeInto(cwd, "core.yaml", text);
      const options = { cwd, env: { AUTH_MIGRATE_API_KEY: "garnet-lantern-quay-0001" } };
      await expectFailure(["serve", "--config", "core.yaml", ...args], options, failure);
      expect(existsSync(join(cwd, "auth-core.db"))).toBe(false);
    },
  );
});

describe.concurrent("import", () => {
  it("leaves the file of an embedded core alone where the core is remote", async () => {
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

  it("takes parameters from the configuration file and the key from the core's", async () => {
    const cwd = workFolder();
    const hashConfig = { rounds: 8, mem_cost: 4, base64_salt_separator: "Bw==" };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ hashConfig }));
    writeInto(cwd, "auth-core.yaml", yaml(OWN.signerKey));
    const { code, stdout } = await runCli(["import", OWN.users, "--json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('"imported":8');
  });

  it("without the key at the embedded core stops before anybody is sent", async () => {
    const cwd = workFolder();
    const hashConfig = { rounds: 8, mem_cost: 4, base64_salt_separator: "Bw==" };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ hashConfig }));
    const failure = { code: "signer_key_missing", says: /signer/, next: /./ };
    await expectFailure(["import", OWN.users], { cwd }, failure);
  });

  it("goes into the data file that the core's configuration names", async () => {
    const cwd = workFolder();
    writeInto(cwd, "auth-core.yaml", `${yaml(OWN.signerKey)}data: quay.db\n`);
    const args = ["import", OWN.users, "--hash-config", OWN.hashConfig, "--json"];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('"core":{"kind":"embedded","file":"quay.db"}');
    const core = await serveHere({ cwd });
    expect(await callCore(core, "/users/count")).toMatchObject({ count: 8 });
    await core.stop();
  });

  it("names --core-config where --config is given a YAML file", async () => {
    const cwd = workFolder();
    writeInto(cwd, "core.yaml", "port: 1\n");
    const failure = {
      code: "config_invalid",
      says: /core\.yaml.*JSON/,
      next: /--core-config core\.yaml/,
    };
    await expectFailure(["import", OWN.users, "--config", "core.yaml"], { cwd }, failure);
  });
});
