import { expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { jsonLines, workFolders } from "./support.js";

const workFolder = workFolders();

it("check-source --print-query shows a query that psql takes as it is", async () => {
  const words = ["check-source", "--print-query", "--from", "authjs"];
  const { code, stdout } = await runCli(words, { cwd: workFolder() });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("select u.*,");
  expect(lines.at(-1)).toBe('order by u."id";');
  const [line] = jsonLines((await runCli([...words, "--json"], { cwd: workFolder() })).stdout);
  expect(`${String(line?.sql)};`).toBe(lines.join("\n"));
});

it("a system whose tables aren't known has none", async () => {
  const words = ["check-source", "--print-query", "--from", "firebase", "--json"];
  const { code, stdout } = await runCli(words, { cwd: workFolder() });
  expect(code).toBe(66);
  expect(jsonLines(stdout)).toMatchObject([{ type: "error", code: "input_unrecognized" }]);
});
