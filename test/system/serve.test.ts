import { expect, it } from "vitest";
import { workFolders } from "../cli/support.js";
import { terminals } from "./support/terminal.js";

const workFolder = workFolders();
const openTerminal = terminals();

it("serve shows a key of its own once on a terminal, and lets in whoever has it", async () => {
  const terminal = openTerminal({ cwd: workFolder(), columns: 100 });
  terminal.run("serve", "--port", "0");
  await terminal.sees("listens on");
  const screen = terminal.screen();
  const [, key = ""] = /for this run it is (\S{32})/.exec(screen) ?? [];
  const [, url = ""] = /listens on (http:\S+)/.exec(screen) ?? [];
  expect(screen.split(key)).toHaveLength(2);
  const statusFor = async (apiKey: string): Promise<number> =>
    (await fetch(`${url}/users/count`, { headers: { "api-key": apiKey } })).status;
  expect([await statusFor(key), await statusFor(`${key}x`)]).toEqual([200, 401]);
  terminal.press("C-c");
  await terminal.exits(0);
});

it("serve makes up no key where others than this machine could use it", async () => {
  const terminal = openTerminal({ cwd: workFolder(), columns: 100 });
  terminal.run("serve", "--port", "0", "--host", "0.0.0.0");
  await terminal.exits(78);
  await terminal.sees("The core needs an API key to listen on 0.0.0.0");
});
