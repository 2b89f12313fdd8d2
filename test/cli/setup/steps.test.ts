import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkData, coreLine } from "../../../src/cli/setup/core.js";
import { type FirstLook, lookAt } from "../../../src/cli/setup/first-look.js";
import { DIALECTS } from "../../../src/core/dialect.js";
import { ALL_OFFERED, carriedBy } from "../../../src/plan/carried.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { parseHashConfig } from "../../../src/hash/hash-config.js";
import type { OwnSource } from "../../../src/source/own-source.js";
import { startInterfaceStub } from "../../support/interface-stub.js";
import { runCli } from "../../support/cli.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { HASH_CONFIG, PASSWORDS, PROBLEMS, USERS, workFolders, writeInto } from "../support.js";
import {
  askForCore,
  askForParameters,
  askForProof,
  chooseFiles,
  takeCore,
  valuesOf,
} from "./support/ask.js";
import { ADA, NELE, OTHER, OWN } from "./support/projects.js";
import { scriptedAsker } from "./support/scripted-asker.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";

const path = temporaryPaths();
const workFolder = workFolders();
const READING = {};

function lookAtOwn(): Promise<FirstLook> {
  return lookAt([OWN.users], READING);
}

function parametersOf({ block, signerKey }: typeof OWN) {
  return { hashConfig: parseHashConfig(block), signerKey };
}

describe("the first look", () => {
  it("says whose export it is, what is in it, and which hashes need parameters", async () => {
    const look = await lookAtOwn();
    expect(look.lines.join("\n")).toMatch(
      /read as firebase \(.*\); --keep-ids keeps the users' ids at the core\n8 of 8 users are ready \(100 %\)\.\nAn import would end so:\n.* 8 +with their password \(vendor_scrypt 8\)$/,
    );
    expect(look.scrypt).toBe(8);
  });

  it("finds scrypt hashes among others by a CSV's salt column", async () => {
    const look = await lookAt([USERS], READING);
    expect(look.lines.join("\n")).toMatch(/\n240 of 245 users are ready[\s\S]*vendor_scrypt 4\d/);
    expect(look.scrypt).toBeGreaterThanOrEqual(40);
  });

  it("counts what can't be used by its code, and what has no password", async () => {
    const look = await lookAt([PROBLEMS], READING);
    expect(look.lines.join("\n")).toMatch(/ created +\d+ +without a password\n/);
    expect(look.lines.at(-1)).toMatch(/ rows would be rejected: [\w ,]+\.$/);
    expect(look).toMatchObject({ bridged: 1, scrypt: 0 });
  });

  it("says whose passwords the vendor hands out apart, and how to name that file", async () => {
    const file = path("auth0.ndjson");
    const user = { user_id: "auth0|1", email: "ada@example.com", email_verified: true };
    const identity = { connection: "people", provider: "auth0", user_id: "1", isSocial: false };
    writeFileSync(file, `${JSON.stringify({ ...user, identities: [identity] })}\n`);
    const { lines } = await lookAt([file], READING);
    expect(lines.join(" ")).toMatch(/ 1 +of those brought leave a password .*vendors\/auth0\.md$/);
  });

  it("reads users out of a pipe once, beside one that holds none", async () => {
    const stdin = (async function* () {
      yield Buffer.from("id,email,password_hash\n1,ann@example.com,{CUSTOM}unknown\n");
    })();
    const empty = path("none.csv");
    writeFileSync(empty, "id,email\n");
    const look = await lookAt(["-", empty], { stdin });
    expect(look.summary).toMatchObject({ read: 1, rejected: 1 });
    const { summary } = await look.dryRun({ signerKey: parametersOf(OWN).signerKey });
    expect(summary).toMatchObject({ read: 1, rejected: 1 });
    expect(look.lines.at(-1)).toContain("holds no user");
  });

  it("is one dry run, and so is what an import would do that is told no more", async () => {
    const file = path("acme.ndjson");
    const legacy = `pbkdf2_sha256$1000$seasalt$${Buffer.alloc(32, 7).toString("base64")}`;
    const hashes = ["{CUSTOM}unknown", legacy, KNOWN_HASHES.vendor_scrypt.passwordHash];
    const rows = hashes.map((hash, at) => ({ id: `${at}`, email: `u${at}@example.com`, hash }));
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    let read = 0;
    const from: OwnSource = {
      name: "acme",
      title: "Acme Login",
      recognize: [["id", "hash"]],
      fields: { pages: [], read: { id: "id", contact: "email", hash: "hash" }, meaningless: {} },
      user({ id, email, hash }) {
        read += 1;
        return { id, email, hash, keptOut: [] };
      },
    };
    const look = await lookAt([file], { from });
    expect(look).toMatchObject({ scrypt: 0, bridged: 1, summary: { read: 3, rejected: 2 } });
    await look.dryRun(
      { hashConfig: null, signerKey: null },
      carriedBy(DEFAULT_POLICY, ALL_OFFERED),
    );
    expect(read).toBe(3);
  });

  it("is bounded, and says so", async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => `${index},user${index}@example.com`);
    const file = path("many.csv");
    writeInto(
      file.slice(0, file.lastIndexOf("/")),
      file.slice(file.lastIndexOf("/") + 1),
      `id,email\n${rows.join("\n")}\n`,
    );
    const { lines } = await lookAt([file], READING);
    expect(lines).toContain("Of the first 1,000 rows:");
    expect(lines).toContain("1,000 of 1,000 users are ready (100 %).");
  });

  it.each([3, 1500])("says of %i rows' columns what validate says", async (count) => {
    const cwd = workFolder();
    const row = (at: number) => `${at},user${at}@example.com,Ann,13.01.2024,blue`;
    const rows = Array.from({ length: count }, (_, at) => row(at));
    writeInto(cwd, "members.csv", ["id,email,full_name,registered,x-7", ...rows].join("\n"));
    const { lines } = await lookAt([join(cwd, "members.csv")], READING);
    const validated = await runCli(["validate", "members.csv"], { cwd });
    const columns = (all: readonly string[]) =>
      all.flatMap((line) => /: (?:read|not read): .*/.exec(line)?.[0] ?? []);
    const told = columns(validated.stderr.split("\n"));
    // The counts of a file's start aren't the file's.
    const uncounted = told.map((line) => line.replaceAll(/ \([\d,]+\)/g, ""));
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/ id \(--keep-ids .*\), .* registered as joined \(day first\)$/);
    expect(columns(lines)).toEqual(count > 1000 ? uncounted : told);
  });
});

describe("asking for the files", () => {
  it("asks what a column is where that has to be said, and where the operator wants to say it", async () => {
    const folder = workFolder();
    writeInto(folder, "members.csv", "id,email,ok_mail,ban_forum\n1,ann@example.com,1,1\n");
    const file = join(folder, "members.csv");
    const typed = [" ", "ban_forum", "colour=ban_forum", "--map disabled=ban_forum"];
    const more = ["column", "ok_mail", "email_verified", "", "done"];
    const asker = scriptedAsker(file, ...typed, ...more);
    const { inputs, map } = await chooseFiles([], asker);
    expect(inputs.map((input) => input.path)).toEqual([file]);
    expect([...map]).toEqual([
      ["disabled", ["ban_forum"]],
      ["email_verified", ["ok_mail"]],
    ]);
    expect(asker.said[0]).toMatch(/may say who is kept out.*Say what its columns hold:$/);
    expect(asker.said[0]).not.toContain("--map");
    expect(asker.labels.join("\n")).toMatch(/ban_forum +\(disabled\) 9/);
    expect(asker.said[1]).toMatch(/names no field and column/);
    expect(asker.said[2]).toMatch(/no field "colour"/);
  });

  const ANN = "ann.wolf@example.com";
  const NAMELESS: readonly (readonly [file: string, text: string])[] = [
    ["kunden.csv", `nr;anschrift_netz;gesp\n17;${ANN};n\n18;bob@example.com;j\n`],
    ["people.json", JSON.stringify([{ nr: 17, anschrift_netz: ANN, gesp: "n" }])],
    ["people.ndjson", `${JSON.stringify({ nr: 17, anschrift_netz: ANN, gesp: "j" })}\n`],
  ];
  it.each(NAMELESS)(
    "picks the contact's column of %s from a list, named or asked for, and shows no value of it",
    async (name, text) => {
      const folder = workFolder();
      const file = join(folder, writeInto(folder, name, text));
      const picked = ["anschrift_netz", "email", "column", "gesp", "disabled", "j", "done"];
      for (const named of [true, false]) {
        const asker = scriptedAsker(...(named ? [] : [file]), ...picked);
        const { map } = await chooseFiles(named ? [file] : [], asker);
        expect([...map]).toEqual([
          ["email", ["anschrift_netz"]],
          ["disabled", ["gesp=j"]],
        ]);
        expect(asker.offered[0]).toEqual(["anschrift_netz", "nr", "gesp", " "]);
        expect(asker.offered[1]?.[0]).toBe("email");
        expect(asker.labels.join("\n")).toMatch(/anschrift_netz +xxx\.xxx@xxx\.xxx/);
        // The folder's name is made up, and may have these.
        const texts = [...asker.labels, ...asker.said].join("\n").replaceAll(folder, "");
        expect(texts).not.toMatch(/ann|wolf|17/);
        expect(asker.left()).toEqual([]);
      }
    },
  );

  it("asks what each value of a flag means that isn't known, once, and says it by --map", async () => {
    const folder = workFolder();
    const rows = ["neu,ja,1", "neu,wohl,1", "aktiv,kaum,1", "pausiert,ja,0", "ok,,1"];
    const text = rows.map((row, at) => `${at},u${at}@example.com,${row}`).join("\n");
    const name = writeInto(folder, "a.csv", `id,email,status,email_verified,active\n${text}\n`);
    const file = join(folder, name);
    const script = ["active", "left", "email_verified", "left", "done"];
    const asker = scriptedAsker(file, ...script);
    const { map } = await chooseFiles([], asker);
    expect([...map]).toEqual([
      ["active", ["status=neu"]],
      ["email_verified", ["email_verified=wohl"]],
    ]);
    expect(asker.asked.filter((question) => question.startsWith("What does"))).toEqual([
      'What does "neu" of "status" mean?',
      'What does "pausiert" of "status" mean?',
      'What does "wohl" of "email_verified" mean?',
      'What does "kaum" of "email_verified" mean?',
    ]);
    // Enter alone lets nobody in.
    const firsts = asker.offered.filter((values) => values.includes("left")).map(([one]) => one);
    expect(firsts).toEqual(["left", "left", "left", "left"]);
    expect(asker.said.join("\n")).toContain('"neu" in 2 rows, "pausiert" in 1 row');
    expect(asker.left()).toEqual([]);
  });

  it("says of each column what it is read as, and of rows that wait for an answer which word isn't known", async () => {
    const folder = workFolder();
    const rows = ["12.03.2025 10:00,ok,", "12.04.2025 10:00,ruhend,030 1234567", ",ok,030 1234568"];
    const text = rows.map((row, at) => `${at},u${at}@example.com,${row}`).join("\n");
    const name = writeInto(folder, "a.csv", `Kundennr,Mailadresse,Gesehen,Zustand,Tel\n${text}\n`);
    const script = ["active", "DE", "column", "Gesehen", "email_verified", "", "column", " "];
    const asker = scriptedAsker(join(folder, name), ...script);
    await expect(chooseFiles([], asker)).rejects.toThrow();
    const said = asker.said.join("\n");
    expect(said).toContain("1 of 3 rows would be rejected: flag_invalid 1");
    expect(said).toContain(
      "2 of the 3 users looked at who would go along have a phone without a +",
    );
    expect(said).not.toContain("1 of the 3 rows");
    expect(said).toContain('values at the file\'s start: "12.03.2025 10:00" in 1 row');
    expect(asker.asked).toContain("Which value says so (empty: any date)?");
    const labels = asker.labels.join("\n");
    expect(labels).toMatch(
      /Mailadresse +\(email\) x.*\n.*\nZustand +\(active\) x.*\nTel +\(phone\)/,
    );
    expect(labels).toMatch(/Gesehen +\(email_verified\)/);
  });

  it("begins with the column and the field that are the likeliest", async () => {
    const folder = workFolder();
    const name = writeInto(
      folder,
      "a.csv",
      `nr,Mailadresse,Tarif,Geheimwort\n1,ann@example.com,Gold,${KNOWN_HASHES.bcrypt.passwordHash}\n`,
    );
    const script = ["Geheimwort", "hash", "column", "Tarif", "metadata", "tarif", "done"];
    const asker = scriptedAsker(join(folder, name), ...script);
    const { map } = await chooseFiles([], asker);
    expect([...map.keys()]).toEqual(["hash", "metadata.tarif"]);
    const [columns, fields, , others, more] = asker.offered;
    expect(columns).toEqual(["Geheimwort", "nr", "Tarif", "Mailadresse", " "]);
    expect(fields?.slice(0, 2)).toEqual(["hash", "email"]);
    expect(others).toEqual(["nr", "Tarif", "Mailadresse", "Geheimwort", " "]);
    expect(more?.slice(0, 2)).toEqual(["metadata", "email"]);
  });

  it("asks for the country of phones without a +, and goes on without one", async () => {
    const folder = workFolder();
    const file = join(folder, writeInto(folder, "a.csv", "phone\n030 1234567\n+4930123456\n"));
    for (const [answers, read] of [
      [["QQ", "de"], 2],
      [[""], 1],
    ] as const) {
      const asker = scriptedAsker(file, ...answers, "done");
      await chooseFiles([], asker);
      expect(asker.said.join("\n")).toContain(
        "1 of the 2 users looked at who would go along has a phone without a +",
      );
      expect(asker.said.join("\n")).toMatch(
        new RegExp(`\n${read} of ${read} users? (?:are|is) ready`),
      );
      expect(asker.left()).toEqual([]);
    }
  });

  it("keeps a part of the account by the name that is given or stands there", async () => {
    const folder = workFolder();
    const file = join(folder, writeInto(folder, "a.csv", "email,x1,x2\nann@example.com,a,b\n"));
    const script = ["column", "x1", "social", "google", "column", "x2", "metadata", "team", "done"];
    const { map } = await chooseFiles([file], scriptedAsker(...script));
    expect([...map.keys()]).toEqual(["social.google", "metadata.team"]);
  });

  it("asks nothing of a table that is named where the command line says all", async () => {
    const asker = scriptedAsker();
    await chooseFiles([USERS], asker, true);
    expect(asker.asked).toEqual([]);
  });

  it("asks again for one that isn't there or isn't known, saying why", async () => {
    const folder = workFolder();
    writeInto(folder, "notes.txt", "nothing of interest\n");
    const asker = scriptedAsker("nope.json", join(folder, "notes.txt"), OWN.users, "done");
    const look = await chooseFiles([], asker);
    expect(look.inputs.map((input) => input.path)).toEqual([OWN.users]);
    expect(asker.said[0]).toMatch(/nope\.json does not exist\.\nCheck the path/);
    expect(asker.said[1]).toMatch(/not an export that is known/);
  });

  it("says of an empty answer what to type, and of a further file's the way back", async () => {
    const asker = scriptedAsker("", USERS, "add", "", OWN.users, "done");
    await chooseFiles([], asker);
    expect(asker.said[0]).toBe("No file was named.\nType a path.");
    expect(asker.said).toContain("No file was named.\nType a path, or back.");
    expect(asker.asked.filter((question) => /Which file.*back/.test(question))).toHaveLength(2);
  });

  it("takes several, one after the other, or others instead", async () => {
    const asker = scriptedAsker(USERS, "again", OWN.users, "add", `'${OTHER.users}'`, "done");
    const look = await chooseFiles([], asker);
    expect(look.inputs.map((input) => input.path)).toEqual([OWN.users, OTHER.users]);
  });
});

describe("asking for the parameters", () => {
  const own = parametersOf(OWN);

  it.each([
    ["pasted as the console shows them", ["paste", OWN.block]],
    ["pasted without the braces", ["paste", OWN.block.replace(/hash_config \{|\}/g, "")]],
    ["pasted at the second try", ["paste", OWN.block.replace("SCRYPT", "BCRYPT"), OWN.block]],
    ["named as a file", ["file", "nope.txt", OWN.hashConfig]],
    ["typed one by one", ["values", "8", "4", "Bw==", OWN.signerKey]],
  ])("takes them %s", async (_how, answers) => {
    const asker = scriptedAsker(...answers);
    const look = await lookAtOwn();
    expect(await askForParameters(look, asker)).toEqual(own);
    expect(asker.left()).toEqual([]);
    expect(asker.said.at(-1)).toMatch(/8 of 8 scrypt hashes/);
  });

  it.each([
    ["rounds", ["17", "-1", "eight", "8"], /rounds must be a whole number from 1 to 16/],
    ["mem_cost", ["16", "0", "4"], /mem_cost must be a whole number from 1 to 15/],
    ["base64_salt_separator", ["B", "§", "Bw=="], /base64_salt_separator must be base64/],
    [
      "base64_signer_key",
      ["", OWN.signerKey.slice(0, 40), OWN.signerKey],
      /base64_signer_key must be/,
    ],
  ])("checks %s at once and says what is expected", async (name, tries, says) => {
    const right = { rounds: "8", mem_cost: "4", base64_salt_separator: "Bw==" };
    const all = { ...right, base64_signer_key: OWN.signerKey };
    const answers = Object.entries(all).flatMap(([field, value]) =>
      field === name ? tries : value,
    );
    const asker = scriptedAsker("values", ...answers);
    expect(await askForParameters(await lookAtOwn(), asker)).toEqual(own);
    const complaints = asker.said.filter((line) => says.test(line));
    expect(complaints).toHaveLength(tries.length - 1);
  });

  it("says of an empty answer for the block's file what to type, and takes a path in quotation marks", async () => {
    const asker = scriptedAsker("file", "", `"${OWN.hashConfig}"`);
    expect(await askForParameters(await lookAtOwn(), asker)).toEqual(own);
    expect(asker.said).toContain("No file was named.\nType a path, or back.");
  });

  it("asks again where no hash in the files can be built with them", async () => {
    const empty = OWN.block.replace("Bw==", "");
    const asker = scriptedAsker("paste", empty, "paste", OWN.block);
    expect(await askForParameters(await lookAtOwn(), asker)).toEqual(own);
    expect(asker.said.join("\n")).toMatch(/Not one scrypt hash .* \(fscrypt_separator\)/);
  });

  it("never shows the signer key, right or wrong", async () => {
    const asker = scriptedAsker("paste", `${OTHER.signerKey} {`, OTHER.block, "unused");
    await askForParameters(await lookAtOwn(), asker);
    for (const key of [OWN.signerKey, OTHER.signerKey]) {
      expect([...asker.said, ...asker.asked].some((line) => line.includes(key.slice(0, 12)))).toBe(
        false,
      );
    }
  });

  it("asks for the key alone where the hashes carry the rest, and for nothing where none needs it", async () => {
    const folder = workFolder();
    const hash = `$f_scrypt$${"A".repeat(85)}Q==$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==`;
    const built = join(
      folder,
      writeInto(
        folder,
        "built.csv",
        `email,password_hash\nann@example.com,${hash.replace(/A{85}/, "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5l")}\n`,
      ),
    );
    const plain = join(folder, writeInto(folder, "plain.csv", "email\nann@example.com\n"));
    const asker = scriptedAsker(OWN.signerKey);
    expect(await askForParameters(await lookAt([built], READING), asker)).toEqual({
      hashConfig: null,
      signerKey: OWN.signerKey,
    });
    expect(await askForParameters(await lookAt([plain], READING), scriptedAsker())).toEqual({
      hashConfig: null,
      signerKey: null,
    });
  });
});

describe("asking for the core", () => {
  const access = {
    apiKey: null,
    dialect: undefined,
    allowInsecure: false,
    caFile: undefined,
    existing: {},
  };
  let served: { url: string; close: () => Promise<void> };

  beforeAll(async () => {
    const core = openEmbeddedCore({ file: path("served.db") });
    const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: ["quay-1"] });
    served = { url: server.url, close: () => server.close().then(() => core.close()) };
  });
  afterAll(() => served.close());

  it("makes no data file, and says how many users are in one that is there", async () => {
    const file = path("new.db");
    expect(await askForCore(access, scriptedAsker("embedded", file))).toEqual({
      kind: "embedded",
      data: file,
      users: null,
      carried: ["verified", "joined", "metadata", "social", "totp", "roles"],
    });
    expect(existsSync(file)).toBe(false);
    const core = openEmbeddedCore({ file });
    await core.importUser({
      email: "ann@example.com",
      passwordHash: "$2a$04$kWru01o9W3Sr.n9VuWmdDOnIQl02fRZH3HO/jfbbNyBTWKLzQ6BtW",
    });
    await core.close();
    expect(await checkData(file)).toMatchObject({ users: 1 });
  });

  it("refuses what is no data file and what can't be one", async () => {
    const folder = workFolder();
    const text = join(folder, writeInto(folder, "notes.db", "no database at all\n"));
    const asker = scriptedAsker(
      "embedded",
      text,
      join(folder, "nowhere/core.db"),
      "",
      path("a.db"),
    );
    await askForCore(access, asker);
    expect(asker.said.slice(0, -1)).toHaveLength(3);
    expect(readFileSync(text, "utf8")).toBe("no database at all\n");
  });

  it("calls a remote core, and asks again for a key that it refuses", async () => {
    const asker = scriptedAsker("remote", served.url, "quay-2", "key", "quay-1");
    const chosen = await askForCore(access, asker);
    expect(chosen).toEqual({
      kind: "remote",
      url: served.url,
      dialect: DIALECTS.interface,
      existing: {},
      carried: ["verified", "metadata", "social", "totp", "roles"],
      isKeyTyped: true,
      joinedByQueue: true,
    });
    expect(coreLine(chosen)).toContain(
      "social, totp, roles; joined of users who go by the core's queue",
    );
    expect(asker.said.join("\n")).toMatch(/refuses the key/);
    expect(asker.said.join("\n")).not.toMatch(/quay/);
  });

  it("asks whether roles go along where users have some and the core has a place for them", async () => {
    const folder = workFolder();
    const text = "id,email,roles\n1,ann@example.com,editor\n2,bob@example.com,\n";
    const map = new Map([["roles", ["roles"]]]);
    const look = await lookAt([join(folder, writeInto(folder, "a.csv", text))], { map });
    const asker = scriptedAsker("embedded", path("roles.db"), "create");
    expect(await takeCore({ access, look }, asker)).toMatchObject({ roles: "create" });
    expect(asker.said.join("\n")).toContain("1 user of those looked at has roles.");
    // Nothing names its roles: no answer would bring them.
    const unnamed = { access, look: await lookAt([join(folder, "a.csv")], {}) };
    const untold = scriptedAsker("embedded", path("roles.db"));
    expect((await takeCore(unnamed, untold)).roles).toBeUndefined();
    const settled = { access, look, values: valuesOf({ data: "roles.db", skipProof: true }) };
    const unasked = scriptedAsker("embedded", path("roles.db"));
    expect((await takeCore(settled, unasked)).roles).toBeUndefined();
    const inferred = (await look.inputs[0]?.inferred?.(map)) ?? "";
    const mapping = join(folder, writeInto(folder, "a.yaml", inferred));
    const proving = { access, look, values: valuesOf({ skipProof: true, mapping }) };
    const again = scriptedAsker("embedded", path("roles.db"), "existing");
    expect((await takeCore(proving, again)).roles).toBe("existing");
  });

  it("takes a key that was given elsewhere, unasked", async () => {
    const asker = scriptedAsker("remote", served.url);
    await askForCore({ ...access, apiKey: "quay-1" }, asker);
    expect(asker.asked).not.toContain("Its API key (empty if it has none)");
  });

  it("says which URLs can't be one, and lets the operator choose again where nobody answers", async () => {
    const asker = scriptedAsker(
      ...["remote", "core.example.com", "http://core.example.com", "http://127.0.0.1:9", ""],
      ...["same", "other", "remote", served.url, "quay-1"],
    );
    await askForCore(access, asker);
    expect(asker.said[0]).toMatch(/not an http: or https: URL/);
    expect(asker.said[1]).toMatch(/in the clear/);
    expect(asker.said[2]).toMatch(/^http:\/\/127\.0\.0\.1:9: The core can't be reached/);
  });

  it("says what helps against just this failure", async () => {
    const asker = scriptedAsker(
      ...["remote", served.url.replace("http:", "https:"), "", "other"],
      ...["remote", served.url, "quay-1"],
    );
    await askForCore(access, asker);
    expect(asker.said[0]).toMatch(/^https:.* speaks no TLS\. It is an http: port, as it seems\./);
  });

  it("asks what is to become of users where a core has no look-ups", async () => {
    const stub = await startInterfaceStub({ apiKey: "quay-1" });
    const empty = scriptedAsker("remote", stub.url, "quay-1", "empty");
    expect(await askForCore(access, empty)).toMatchObject({ existing: { assumeEmpty: true } });
    const update = scriptedAsker("remote", stub.url, "quay-1", "update");
    expect(await askForCore(access, update)).toMatchObject({ existing: { onExisting: "update" } });
    expect(stub.users).toEqual([]);
    await stub.close();
  });
});

describe("asking for a proof", () => {
  it("ends with the first password that verifies", async () => {
    const asker = scriptedAsker("nobody@example.com", ADA.email, "", ADA.password);
    const end = await askForProof(await lookAtOwn(), parametersOf(OWN), asker);
    expect(end).toMatchObject({ proved: true, parameters: parametersOf(OWN) });
    expect(end.user?.row.number).toBe(1);
    expect(asker.said.join("\n")).toMatch(/No row of the files is this user's/);
    expect(asker.said.at(-1)).toMatch(/^Proved: .* row 1\.$/);
  });

  it("catches another project's signer key and takes the right one in its place", async () => {
    const asker = scriptedAsker(ADA.email, ADA.password, "key", "paste", OWN.block);
    const end = await askForProof(await lookAtOwn(), parametersOf(OTHER), asker);
    expect(asker.said.join("\n")).toMatch(/Not proved \(password_or_signer_key\)/);
    expect(end).toMatchObject({ proved: true, parameters: parametersOf(OWN) });
  });

  it("knows by two right passwords that it is the key that is wrong", async () => {
    const asker = scriptedAsker(
      ...[ADA.email, ADA.password, "user", NELE.email, NELE.password, "stop"],
    );
    const end = askForProof(await lookAtOwn(), parametersOf(OTHER), asker);
    await expect(end).rejects.toMatchObject({ hint: /^The passwords of users 1 and 2 are right/ });
    expect(asker.said.join("\n")).toMatch(/Not proved \(wrong_signer_key\)/);
    expect(asker.offered.map(([first]) => first)).toEqual(["user", "key"]);
  });

  it("offers another user first where no other password would do", async () => {
    const folder = workFolder();
    const text = `id,email,hash\n1,ann@example.com,\n2,bob@example.com,${KNOWN_HASHES.bcrypt.passwordHash}\n`;
    const look = await lookAt([join(folder, writeInto(folder, "a.csv", text))], READING);
    const asker = scriptedAsker("ann@example.com", "ann-sesame-7", "skip", "yes");
    await askForProof(look, { hashConfig: null, signerKey: null }, asker);
    expect(asker.said.join("\n")).toContain("Not proved (no_password)");
    expect(asker.offered).toEqual([["user", "password", "skip", "stop"]]);
  });

  it("offers to correct parameters or the signer key only where the files have the vendor's scrypt", async () => {
    const folder = workFolder();
    const known = readFileSync(PASSWORDS, "utf8").split("\n")[1] ?? "";
    const [user = ""] = known.split(",");
    const row =
      readFileSync(USERS, "utf8")
        .split("\n")
        .find((line) => line.includes(user)) ?? "";
    const [header = ""] = readFileSync(USERS, "utf8").split("\n");
    writeInto(folder, "members.csv", `${header}\n${row}\n`);
    for (const file of [join(folder, "members.csv"), USERS]) {
      const asker = scriptedAsker(user, "mistyped", "skip", "yes");
      const none = { hashConfig: null, signerKey: null };
      await askForProof(await lookAt([file], READING), none, asker);
      const isScrypt = file === USERS;
      const offered = ["password", "user", ...(isScrypt ? ["key"] : []), "skip", "stop"];
      expect(asker.offered).toEqual([offered]);
      expect(asker.said.join("\n").includes("signer key or a changed")).toBe(isScrypt);
    }
  });

  it("takes the same user's password again", async () => {
    const asker = scriptedAsker(ADA.email, "mistyped", "password", ADA.password);
    const end = await askForProof(await lookAtOwn(), parametersOf(OWN), asker);
    expect(end.proved).toBe(true);
    expect(asker.asked.filter((question) => /^A user/.test(question))).toHaveLength(1);
  });

  it("is skipped only when the operator says so twice", async () => {
    const asker = scriptedAsker("", "no", ADA.email, ADA.password);
    const end = await askForProof(await lookAtOwn(), parametersOf(OWN), asker);
    expect(end.proved).toBe(true);
  });

  it("stops where the operator says so, also instead of going on without", async () => {
    for (const way of [["stop"], ["skip", "no", "stop"]]) {
      const asker = scriptedAsker(ADA.email, "mistyped", ...way);
      const end = askForProof(await lookAtOwn(), parametersOf(OWN), asker);
      await expect(end).rejects.toMatchObject({ code: "confirmation_declined" });
      expect(asker.left()).toEqual([]);
    }
  });

  it("isn't offered where no hash could be proved", async () => {
    const folder = workFolder();
    writeInto(folder, "members.csv", "id,email\n1,ann@example.com\n");
    const look = await lookAt([join(folder, "members.csv")], READING);
    const asker = scriptedAsker();
    const end = await askForProof(look, { hashConfig: null, signerKey: null }, asker);
    expect(end.proved).toBe(false);
    expect(asker.asked).toEqual([]);
  });

  it("asks for a user with the vendor's scrypt where others prove nothing of the signer key", async () => {
    const look = await lookAt([USERS], READING);
    const parameters = { hashConfig: parseHashConfig(readFileSync(HASH_CONFIG, "utf8")) };
    const signerKey = parameters.hashConfig.signerKey;
    const [header, bcrypt] = readFileSync(PASSWORDS, "utf8").split("\n");
    expect(header).toMatch(/^email,/);
    const [user = "", password = ""] = bcrypt?.split(",") ?? [];
    const asker = scriptedAsker(user, password, "skip", "yes");
    const end = await askForProof(look, { ...parameters, signerKey }, asker);
    expect(asker.said.join("\n")).toMatch(/needs no signer key.*take one whose hash is the vendor/);
    expect(end.proved).toBe(false);
  });

  it("from a file stops at the first user who fails, without naming them", async () => {
    const folder = workFolder();
    const rows = `${ADA.email},"${ADA.password}"\n${NELE.email},mistyped\n`;
    const file = join(folder, writeInto(folder, "test-users.csv", rows));
    const look = await lookAtOwn();
    const failure = askForProof(look, parametersOf(OWN), null, { prove: file });
    await expect(failure).rejects.toMatchObject({
      code: "proof_failed",
      message: expect.stringMatching(
        /^Nothing was sent: user 2 of .*test-users\.csv \(.*row \d.*\) couldn't be proved, wrong_password\.$/,
      ),
    });
    await failure.catch((error: Error) => expect(error.message).not.toMatch(/nele|mistyped/));
  });
});
