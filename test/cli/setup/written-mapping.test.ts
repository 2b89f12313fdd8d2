import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli.js";
import { jsonLines, workFolders, writeInto } from "../support.js";

const workFolder = workFolders();
const HASH = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const MAPPING = "auth-migrate.mapping.yaml";

const TABLE = {
  file: "kunden.csv",
  text: `Kundennummer,E-Mail (privat),geprüft,Kennwort-Hash,Gruppen,Kundensorte,account_type,status,banned,locked,locked_until,mitglied_seit,Vorname,created_at,notes,mfa_enabled,kontakt_ok
1,ann@example.com,ja,${HASH},admin;editor,A,staff,active,0,1,2020-01-01,x,Ann,2024-01-02,hello,0,1
2,bob@example.com,nein,${HASH},,G,temp,active,0,0,,x,Bob,2024-01-02,,1,1
3,cem@example.com,,,banned,A,staff,active,1,0,,x,Cem,2024-01-02,,0,0
4,dana@example.com,ja,,,A,robot,on hold,0,1,2999-01-01,x,Dana,2024-01-02,,0,1
5,not an address,ja,,,A,staff,active,0,0,,x,Eva,2024-01-02,,0,1
6,fay@example.com,ja,,,A,staff,Locked,perhaps,0,,x,Fay,2024-01-02,,0,1
`,
  map: [
    "id=Kundennummer",
    "email=E-Mail (privat)",
    "email_verified=geprüft",
    "hash=Kennwort-Hash",
    "roles=Gruppen",
    "disabled=Kundensorte=G",
    "disabled=account_type=temp",
    "disabled=status=on hold",
    "active=kontakt_ok",
    "ignore=notes",
    "metadata.since=mitglied_seit",
    "metadata.given_name=Vorname",
  ],
};

const DOCUMENT = {
  file: "persons.json",
  text: JSON.stringify({
    total: 4,
    persons: [
      {
        personId: "p1",
        logins: [{ type: "mail", value: "ann@example.com" }],
        mailOk: "2024-01-01",
        pw: { bcrypt: HASH },
        state: "active",
        profile: { firstName: "Ann", city: "Graz" },
        groups: ["staff"],
      },
      {
        personId: "p2",
        logins: [{ type: "mail", value: "bob@example.com" }],
        mailOk: null,
        pw: { bcrypt: HASH },
        state: "suspended",
        profile: { firstName: "Bob" },
        deletedAt: null,
      },
      {
        personId: "p3",
        logins: [{ type: "sms", value: "+15550100108" }],
        mailOk: null,
        pw: null,
        state: "active",
        profile: {},
        mfa: { enabled: true },
      },
      {
        personId: "p4",
        logins: [{ type: "mail", value: "dana@example.com" }],
        mailOk: "2024-01-01",
        pw: null,
        state: "active",
        profile: {},
        deletedAt: "2024-03-01",
      },
    ],
  }),
  map: [
    "users=persons",
    "id=personId",
    "email=logins[?type=='mail'].value | [0]",
    "email_verified=mailOk",
    "hash=pw.bcrypt",
    "roles=groups",
    "metadata.city=profile.city",
  ],
};

/** Of columns whose names say what they are. */
const NAMED = {
  file: "members.csv",
  text: `member_id,email,email_verified,password_hash,is_active,status,locked_until,created_at,first_name,provider,mfa_enabled,notes
1,ann@example.com,1,${HASH},1,active,,2024-01-02,Ann,,0,vip
2,bob@example.com,0,${HASH},0,active,,2024-01-02,Bob,google,1,
3,cem@example.com,1,,1,suspended,,2024-01-02,Cem,,0,
4,dana@example.com,1,,1,active,2999-01-01,2024-01-02,Dana,,0,
`,
  map: [],
};

/** Whose hash is one of a list. */
const LISTED = {
  file: "logins.json",
  text: JSON.stringify([
    { id: "1", email: "ann@example.com", keys: [{ kind: "pw", hash: HASH }, { kind: "pin" }] },
    { id: "2", email: "bob@example.com", keys: [] },
  ]),
  map: ["hash=keys[?kind=='pw'].hash | [0]"],
};

interface Export {
  readonly file: string;
  readonly text: string;
  readonly map: readonly string[];
}

function mapsOf({ map }: Export): string[] {
  return map.flatMap((pair) => ["--map", pair]);
}

async function setUp(given: Export) {
  const cwd = workFolder();
  writeInto(cwd, given.file, given.text);
  const from = given.file.endsWith(".csv") ? "csv" : "json";
  const core = ["--data", "core.db", "--skip-proof", "--no-input"];
  const args = ["setup", given.file, "--from", from, ...mapsOf(given), ...core];
  return { cwd, from, ...(await runCli(args, { cwd })) };
}

/** What a dry run says of users, without the notices of fields, which the two ways tell apart. */
async function planOf(args: readonly string[], cwd: string) {
  const options = ["--on-lost-factor", "accept", "--json", "--no-input"];
  const { stdout } = await runCli(["validate", ...args, ...options], { cwd });
  const lines = jsonLines(stdout);
  const summary = lines.find(({ type }) => type === "summary");
  return ["read", "skips", "rejects", "algorithms", "ready"].map((name) => summary?.[name]);
}

describe.concurrent("setup of an export of no known system", () => {
  it.each([TABLE, DOCUMENT, NAMED, LISTED])(
    "writes a mapping that reads the same users of $file",
    async (given) => {
      const { cwd, from, code, stdout, stderr } = await setUp(given);
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/: read as \w+ \(.*\n.*: read: /);
      const command = `auth-migrate import ${given.file} --mapping ${MAPPING}`;
      expect(stdout).toContain(`\n  ${command}\n`);
      // An option a line, so that a terminal breaks none.
      expect(stdout.replaceAll(/\n +(?=--)/g, " ")).toContain(
        `npx --no-install ${command} --no-input`,
      );
      expect(stdout.replaceAll("\n", " ")).toContain(
        `The same in CI, with auth-migrate.config.json and ${MAPPING} in the checkout:`,
      );
      const config: unknown = JSON.parse(
        readFileSync(join(cwd, "auth-migrate.config.json"), "utf8"),
      );
      expect(config).toEqual({ data: "core.db", mapping: MAPPING });

      const other = workFolder();
      writeInto(other, given.file, given.text);
      const byOptions = await planOf([given.file, "--from", from, ...mapsOf(given)], other);
      expect(byOptions.at(-1)).toMatchObject({ import: 1 });
      expect(await planOf([given.file, "--mapping", MAPPING], cwd)).toEqual(byOptions);
      const checked = await runCli(["check-source", MAPPING, given.file], { cwd });
      expect(checked.stdout).toMatch(/every row is read, nothing at fault$/m);
      expect(checked.code).toBe(0);
      const done = await runCli([...command.split(" ").slice(1), "--no-input"], { cwd });
      expect(done.stdout, done.stderr).toMatch(/imported +1 /);
    },
  );

  it("writes names of columns into it, and nothing of a user's", async () => {
    for (const given of [TABLE, DOCUMENT]) {
      const { cwd } = await setUp(given);
      const mapping = readFileSync(join(cwd, MAPPING), "utf8");
      expect(mapping).not.toMatch(/example\.com|\$2b\$|Ann|Graz|editor/);
      const fields = mapping.match(/^\w+:/gm) ?? [];
      expect(mapping.match(/^# .+\n\w+:/gm)).toHaveLength(fields.length);
    }
  });

  it("writes none where a mapping can't say it, keeps the options, and says so", async () => {
    const users = Array.from({ length: 300 }, (_, id) => ({ id, mail_at: `ann${id}@example.com` }));
    // No name at the file's start tells of phones.
    const late = { id: 300, phone: "+15550100101" };
    const text = [...users, late].map((user) => JSON.stringify(user)).join("\n");
    const given = { file: "members.ndjson", text, map: ["email=mail_at"] };
    const { cwd, stdout } = await setUp(given);
    expect(stdout).toMatch(/^Written: auth-migrate\.config\.json$/m);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "No mapping says all that was said of the columns",
    );
    const config: unknown = JSON.parse(readFileSync(join(cwd, "auth-migrate.config.json"), "utf8"));
    expect(config).toMatchObject({ map: given.map });
  });

  it("says whom an import would reject, why, and the ways on, as an import then does", async () => {
    const { cwd, stdout } = await setUp(TABLE);
    const done = await runCli(["import", TABLE.file, "--mapping", MAPPING, "--no-input"], { cwd });
    const rejected = (text: string) => text.slice(text.indexOf("\nRejected\n")).split("\n\n")[0];
    expect(stdout).toContain("3 of 6 rows would be rejected: ");
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "to go on without them, give it --accept-rejects 3.",
    );
    const codes = (text: string) => rejected(text)?.match(/^ {2}\w+ +\d/gm);
    expect(codes(stdout)).toEqual(codes(done.stdout));
    expect(codes(stdout)?.length).toBeGreaterThan(0);
  });

  it("doesn't replace another mapping unasked", async () => {
    const { cwd } = await setUp(TABLE);
    const args = ["setup", TABLE.file, "--from", "csv", ...mapsOf(TABLE)];
    const core = ["--data", "core.db", "--skip-proof", "--no-input"];
    const same = await runCli([...args, ...core], { cwd });
    expect(same.stdout, same.stderr).toMatch(/^Everything was there already/);
    writeInto(cwd, MAPPING, "name: other\n");
    const again = await runCli([...args, ...core], { cwd });
    expect(again.code).toBe(78);
    expect(again.stderr).toContain(`${MAPPING} is there already and says something else`);
    expect(readFileSync(join(cwd, MAPPING), "utf8")).toBe("name: other\n");
  });

  it("is named, with its configuration, by what can't be read beside it", async () => {
    const { cwd } = await setUp(NAMED);
    writeInto(cwd, "others.csv", "nr,mail_at\n1,ann@example.com\n");
    const earlier = [
      ["validate", NAMED.file, "--from", "csv"],
      ["validate", NAMED.file, "--map", "email=email"],
      ["import", "others.csv", "--map", "email=mail_at"],
    ];
    for (const args of earlier) {
      const { code, stderr } = await runCli(args, { cwd });
      expect([2, 66]).toContain(code);
      expect(stderr.replace(/\s+/g, " ")).toContain(
        `The configuration auth-migrate.config.json names --mapping ${MAPPING}: take it out there`,
      );
    }
  });
});
