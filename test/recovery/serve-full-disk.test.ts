import { dirname } from "node:path";
import { expect, it } from "vitest";
import { connectCore } from "../../src/core/http/client.js";
import { sendRequest } from "../core/http/send-request.js";
import { startServe } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
/** In blocks of 512 bytes: writing past it fails as it would on a full disk. */
const FILE_SIZE = ["-f 2048"];
const AT_ONCE = 16;
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

it("answers 507 once the disk is full, and keeps everything that it acknowledged", async () => {
  const file = path("core.db");
  const options = { cwd: dirname(file), args: ["--data", file] };
  const server = await startServe({ ...options, limits: FILE_SIZE });
  const acknowledged: string[] = [];
  const refused = new Set<string>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (refused.size === 0) {
      next += 1;
      const email = `reader.${next}@example.com`;
      const { status, text } = await sendRequest(
        server.url,
        "POST",
        "/recipe/user/passwordhash/import",
        { "api-key": server.apiKey },
        JSON.stringify({ email, passwordHash }),
      );
      if (status === 200) acknowledged.push(email);
      else refused.add(`${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const message = "the core cannot write to its disk";
  expect([...refused]).toEqual([`507 ${JSON.stringify({ message })}`]);

  const full = connectCore({ url: server.url, apiKey: server.apiKey, connections: AT_ONCE });
  const email = acknowledged.at(-1) ?? "";
  expect(await full.signIn({ email, password })).toMatchObject({ status: "OK" });
  // A single import may still have found room where several together had none.
  const fillUp = async (): Promise<never> => {
    for (;;) {
      next += 1;
      const { user } = await full.importUser({ email: `reader.${next}@example.com`, passwordHash });
      acknowledged.push(user.email ?? "");
    }
  };
  await expect(fillUp()).rejects.toMatchObject({ kind: "disk", status: 507 });
  await full.close();
  await server.kill();

  const emptied = await startServe(options);
  const core = connectCore({ url: emptied.url, apiKey: emptied.apiKey, connections: AT_ONCE });
  const found = await Promise.all(acknowledged.map((one) => core.findUsers({ email: one })));
  expect(found.filter((users) => users.length !== 1)).toEqual([]);
  expect(await core.importUser({ email: "new@example.com", passwordHash })).toMatchObject({
    didUserAlreadyExist: false,
  });
  await core.close();
  expect(await emptied.stop()).toMatchObject({ code: 0 });
});
