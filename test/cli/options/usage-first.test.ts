import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { loadVerbs } from "../../../src/cli/program.js";
import { runCli } from "../../support/cli.js";
import { jsonLines, workFolders, writeInto } from "../support.js";

const workFolder = workFolders();

/** Commands with options that contradict each other or lack one; every file that they name is missing. */
const WRONG: readonly (readonly [command: string, words: string])[] = [
  ["import", "--hash-config no.txt"],
  ["import", "parts/part-1 parts/part-2 --prove no.csv"],
  ["import", "users.csv parts/part-1 --prove no.csv"],
  ["import", "users.csv --data postgres://ana:none@127.0.0.1/auth"],
  ["import", "users.csv --data= --hash-config no.txt"],
  ["import", "users.csv --from klingon --hash-config no.txt --prove no.csv"],
  ["import", "users.csv --default-country UK --core-config no.yaml"],
  ["import", "- users.csv - --hash-config no.txt"],
  ["import", "users.csv --on-existing replace --hash-config no.txt"],
  ["validate", "users.csv --from klingon --hash-config no.txt"],
  ["prove", "users.csv --hash-config no.txt"],
  ["prove", "users.csv --passwords no.csv --from klingon --hash-config no.txt"],
  ["split", "users.csv --shards 2 --hash-config no.txt"],
  ["split", "users.csv --shards 2 --out-dir parts --from klingon --hash-config no.txt"],
  ["check-source", "no.yaml"],
  ["setup", "users.csv --hash-config no.txt"],
  ["setup", "users.csv --data= --skip-proof --hash-config no.txt"],
  ["undo", "--checkpoint no --yes --core-config no.yaml --rate -1"],
  ["report", "--checkpoint no --from firebase"],
  ["report", "--checkpoint no --id-map --format html"],
  ["report", "--checkpoint no --output there.txt"],
  ["report", "--checkpoint no --checkpoint no.2"],
  ["reconcile", "--checkpoint no --checkpoint no.2"],
  ["reconcile", "users.csv --checkpoint no --from klingon"],
  ["reconcile", "users.csv --checkpoint no --data="],
  ["checkpoint purge", "--checkpoint no"],
  ["import", "users.csv --on-unusable-hash bridge --hash-config no.txt"],
  ["bridge", "--core https://core.example.com --api-key-file no.txt"],
  ["serve", "--config no.yaml --core-config other.yaml"],
  ["serve", "--data= --core-config no.yaml"],
  ["doctor", "--data postgres://ana:none@127.0.0.1/auth"],
  ["validate", "postgres://ana:none@127.0.0.1/app --hash-config no.txt"],
  ["import", "mysql://ana@127.0.0.1/app?password=none --hash-config no.txt"],
  ["import", "postgres://ana@127.0.0.1/app postgres://ana@127.0.0.1/app --hash-config no.txt"],
  ["validate", "postgres://127.0.0.1 --hash-config no.txt"],
  ["validate", "users.csv --table members --hash-config no.txt"],
  ["setup", "postgres://ana@127.0.0.1/app --table members --query no.sql --hash-config no.txt"],
  ["check-source", "--print-query"],
  ["check-source", "--print-query --from klingon"],
  ["check-source", "--print-query postgres://ana:none@127.0.0.1/app"],
  ["hash", "hashes.txt --hash-config no.txt"],
  ["hash", "--from klingon --hash-config no.txt"],
];

it.concurrent.each(WRONG)(
  "%s %s is wrong usage, said before a file is missed or left behind",
  async (command, words) => {
    const cwd = workFolder();
    writeInto(cwd, "there.txt", "an earlier report");
    const args = [...command.split(" "), ...words.split(" "), "--json"];
    const { code, stdout } = await runCli(args, { cwd });
    expect(jsonLines(stdout)).toMatchObject([{ type: "error", code: "usage", exitCode: 2 }]);
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual(["there.txt"]);
  },
);

it("every command is among them, but for those whose options can't contradict each other", async () => {
  const simple = ["status", "cutover"];
  const commands = new Set([...WRONG.map(([command]) => command), ...simple]);
  expect([...commands].sort()).toEqual([...(await loadVerbs()).keys()].sort());
});
