import { openEmbeddedCore, openInputs, RunError, importEvents } from "auth-migrate";

const core = openEmbeddedCore({ file: "auth-core.db" });
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
try {
  const inputs = await openInputs(["users.csv"]);
  const checkpoint = "auth-migrate.checkpoint";
  for await (const event of importEvents({ inputs, core, checkpoint, signal: stop.signal })) {
    switch (event.type) {
      case "reject":
        console.error(`row ${event.row.number}: ${event.code}. ${event.hint}`);
        break;
      case "progress":
        console.error(`${event.done} of ${event.read} rows`);
        break;
      case "summary":
        console.log(`${event.imported + event.created} users brought, ${event.rejected} rejected`);
        process.exitCode = event.failed > 0 || event.interrupted ? 75 : 0;
    }
  }
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  console.error(`${error.code}: ${error.message} ${error.hint}`);
  process.exitCode = 1;
} finally {
  await core.close();
}
