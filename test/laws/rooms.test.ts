import { describe, expect, it } from "vitest";
import { type Import, type SourceFile, sourceFiles } from "./source-files.js";

const FILES = sourceFiles();
const PATHS = new Set(FILES.map(({ path }) => path));

/** Who may import whom: a room only rooms above it in this table. The command line and the library's index may import everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  files: ["errors"],
  contact: [],
  hash: ["errors"],
  sqlite: ["errors", "files"],
  vault: ["errors", "hash", "sqlite"],
  account: ["errors", "contact", "hash"],
  source: ["errors", "hash", "account"],
  conformance: ["errors", "source"],
  core: ["errors", "contact", "hash", "sqlite"],
  events: ["errors", "hash", "source", "core"],
  calls: ["errors", "core", "events"],
  plan: ["errors", "contact", "hash", "account", "core", "events"],
  "password-export": ["errors", "sqlite", "account", "source", "events", "plan"],
  stage: [
    "errors",
    "hash",
    "account",
    "source",
    "sqlite",
    "events",
    "calls",
    "plan",
    "password-export",
  ],
  checkpoint: ["errors", "files", "sqlite", "events", "plan"],
  run: [
    "errors",
    "hash",
    "account",
    "source",
    "core",
    "events",
    "calls",
    "plan",
    "stage",
    "checkpoint",
    "vault",
  ],
  shards: ["errors", "source", "events", "calls", "plan", "stage", "checkpoint", "run"],
  prove: [
    "errors",
    "hash",
    "account",
    "source",
    "core",
    "events",
    "calls",
    "plan",
    "password-export",
    "stage",
    "run",
  ],
  reconcile: ["errors", "source", "core", "events", "calls", "plan", "stage", "checkpoint", "run"],
  undo: ["errors", "core", "events", "calls", "plan", "checkpoint", "run"],
  bridge: ["errors", "contact", "hash", "core", "vault"],
  report: ["errors", "events", "checkpoint", "prove", "reconcile", "undo"],
};
const ALL_SEEING = ["cli", "index"];

/** The rooms that make up a migration, above the core and below the reports. */
const MIGRATION = [
  "events",
  "calls",
  "plan",
  "stage",
  "checkpoint",
  "run",
  "shards",
  "prove",
  "password-export",
  "reconcile",
  "undo",
];

/** What of the core is its interface. */
const CORE_INTERFACE = [
  "core/account-import.ts",
  "core/account-parts.ts",
  "core/account-queue.ts",
  "core/core.ts",
  "core/core-failure.ts",
  "core/dialect.ts",
  "core/same-contact.ts",
  "core/user.ts",
];

/** The one place that may import each package; a path ends in `/` where it is a folder. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  "@clack/prompts": ["cli/"],
  "@jmespath-community/jmespath": ["source/expression.ts"],
  argon2: ["hash/verify.ts"],
  bcryptjs: ["hash/verify.ts"],
  "cli-progress": ["cli/"],
  commander: ["cli/"],
  "csv-parse": ["source/"],
  "fast-string-truncated-width": ["report/layout.ts"],
  "fast-wrap-ansi": ["report/layout.ts"],
  "libphonenumber-js": ["contact/"],
  libsql: ["sqlite/"],
  "p-limit": ["calls/pace.ts"],
  mysql2: ["source/database/"],
  pg: ["core/embedded/postgres/", "source/database/"],
  undici: ["core/http/client-connections.ts"],
  yaml: [
    "cli/core-config-file.ts",
    "source/mapping/inferred-mapping.ts",
    "source/mapping/read-mapping.ts",
  ],
  // The edges where data enters or leaves: exports, the wire, the vendor's parameters, options, events, manifests.
  zod: [
    "source/",
    "core/account-parts.ts",
    "core/http/",
    "bridge/bridge-service.ts",
    "hash/hash-config.ts",
    "events/lines/",
    "events/shard.ts",
    "run/shared-options.ts",
    "cli/",
  ],
};

/** Of pure rooms, those that load a package only when it is needed. */
const LOADERS = ["hash/verify.ts", "contact/phone-library.ts"];
/** Modules of Node's that only compute. */
const PURE = ["node:buffer", "node:crypto", "node:url", "node:util"];

/** `from: specifier` of every import that a law forbids. */
function breaches(forbidden: (file: SourceFile, one: Import) => boolean): string[] {
  return FILES.flatMap((file) =>
    file.imports
      .filter((one) => forbidden(file, one))
      .map(({ specifier }) => `${file.path}: ${specifier}`),
  );
}

function roomOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** Every cycle that a walk from any file comes back to. */
function cycles(): string[] {
  const targets = new Map(
    FILES.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" > "));
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of FILES) walk(path, []);
  return found;
}

/** `path: match` of everything in the code of some files that a pattern finds. */
function findings(pattern: RegExp, files: readonly SourceFile[] = FILES): string[] {
  return files.flatMap(({ path, code }) =>
    [...code.matchAll(pattern)].map(([match]) => `${path}: ${match}`),
  );
}

describe("the rooms", () => {
  it("are those that the table knows", () => {
    const rooms = new Set(FILES.map(({ room }) => room));
    expect([...rooms].sort()).toEqual([...Object.keys(MAY_IMPORT), ...ALL_SEEING].sort());
  });

  it("stand in an order in which imports run one way", () => {
    const order = Object.keys(MAY_IMPORT);
    const back = Object.entries(MAY_IMPORT).flatMap(([room, targets]) =>
      targets
        .filter((target) => order.indexOf(target) >= order.indexOf(room))
        .map((target) => `${room} > ${target}`),
    );
    expect(back).toEqual([]);
  });

  it("import only the rooms they may", () => {
    const wrong = breaches(({ room }, { file }) => {
      if (file === null || ALL_SEEING.includes(room)) return false;
      const target = roomOf(file);
      return target !== room && !MAY_IMPORT[room]?.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it("know no more of the core than its interface, and of the migration in reports than types", () => {
    const wrong = breaches(({ room }, { file, typeOnly }) => {
      if (file === null) return false;
      const target = roomOf(file);
      if (room === "report") return MIGRATION.includes(target) && !typeOnly;
      return MIGRATION.includes(room) && target === "core" && !CORE_INTERFACE.includes(file);
    });
    expect(wrong).toEqual([]);
  });

  it("have rooms inside them of which no two import each other", () => {
    const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");
    const pairs = new Set(
      FILES.flatMap(({ path, imports }) =>
        imports.flatMap(({ file }) => (file === null ? [] : `${folderOf(path)} ${folderOf(file)}`)),
      ),
    );
    const isInside = (folder: string, other: string): boolean =>
      `${other}/`.startsWith(`${folder}/`);
    const mutual = [...pairs].filter((pair) => {
      const [one = "", other = ""] = pair.split(" ");
      // A room's own files are its ground and its door: its folders stand between them.
      if (isInside(one, other) || isInside(other, one)) return false;
      return one < other && pairs.has(`${other} ${one}`);
    });
    expect(mutual).toEqual([]);
  });

  it("import files of the source alone, never tests or what lies outside", () => {
    expect(breaches((_file, { file }) => file !== null && !PATHS.has(file))).toEqual([]);
  });

  it("import each other in no circle", () => {
    expect(cycles()).toEqual([]);
  });

  it("that are pure do no I/O", () => {
    const pure = (path: string): boolean =>
      ["hash", "contact", "account", "plan", "report"].includes(roomOf(path)) &&
      !LOADERS.includes(path);
    const wrong = breaches(
      ({ path }, { specifier, lazy }) =>
        pure(path) && (lazy || (specifier.startsWith("node:") && !PURE.includes(specifier))),
    );
    expect(wrong).toEqual([]);
  });
});

describe("each package", () => {
  it("has one home, and stays there", () => {
    const wrong = breaches(({ path }, { package: name }) => {
      if (name === null) return false;
      const homes = HOMES[name] ?? [];
      return !homes.some((home) => (home.endsWith("/") ? path.startsWith(home) : path === home));
    });
    expect(wrong).toEqual([]);
  });

  it("that is heavy and rarely needed is loaded only when it is", () => {
    const lazy = ["argon2", "bcryptjs", "@clack/prompts", "pg"];
    const wrong = breaches((_file, one) => {
      return one.package !== null && lazy.includes(one.package) && !one.lazy && !one.typeOnly;
    });
    expect(wrong).toEqual([]);
  });
});

describe("the library", () => {
  const library = FILES.filter(({ room }) => room !== "cli");

  it("never prints, asks, reads the environment or exits: that is the command line's", () => {
    const touching =
      /\bconsole\s*(?:\.\s*\w|\[)|\bprocess\s*\.\s*(?:argv|env|stdin|stdout|stderr|exit|exitCode|abort|kill|on|once)\b/g;
    expect(findings(touching, library)).toEqual([]);
    const modules = ["node:process", "node:console", "node:readline", "node:readline/promises"];
    const wrong = breaches(({ room }, { specifier }) => {
      return room !== "cli" && modules.includes(specifier);
    });
    expect(wrong).toEqual([]);
  });

  it("uses no process but what it runs on: its platform, its versions, its user and its memory", () => {
    const process =
      /(?<![\w."'`-])process\b(?!\s*\.\s*(?:platform|versions|geteuid|constrainedMemory)\b)(?=\s*[.[])/g;
    expect(findings(process, library)).toEqual([]);
  });
});

describe("each file", () => {
  it("starts with a header of one to three lines", () => {
    const without = FILES.filter(({ text }) => {
      const header = /^\/\*\*[\s\S]*?\*\/\n/.exec(text)?.[0];
      return header === undefined || header.split("\n").length > 4;
    });
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it("exports by name alone", () => {
    expect(findings(/\bexport\s+default\b|\bas\s+default\b/g)).toEqual([]);
  });

  it("has a name in kebab-case", () => {
    const wrong = [...PATHS].filter((path) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*[/.])+ts$/.test(path));
    expect(wrong).toEqual([]);
  });
});

describe("these laws", () => {
  it("see the imports that they judge", () => {
    const count = FILES.flatMap(({ imports }) => imports).length;
    expect(count).toBeGreaterThan(FILES.length);
    const used = new Set(
      FILES.flatMap(({ imports }) => imports.flatMap((one) => one.package ?? [])),
    );
    expect([...used].sort()).toEqual(Object.keys(HOMES).sort());
    const lazy = FILES.flatMap(({ imports }) => imports.filter((one) => one.lazy));
    expect(lazy.length).toBeGreaterThan(3);
  });
});
