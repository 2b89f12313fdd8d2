#!/usr/bin/env node
import { setEnvironmentData } from "node:worker_threads";

// What is loaded from here on names options in hints by their flags.
setEnvironmentData("auth-migrate hints", "flags");
// Node.js would open its inspector at this signal: memory, with keys and hashes, to all on this machine.
process.on("SIGUSR1", () => {});
const program = import("../dist/program/main.js").then(({ main }) => main());
process.exitCode = await program.catch((error) => {
  if (error.code !== "EMFILE" && error.code !== "ENFILE") throw error;
  // Not even the program's own files can be opened.
  process.stderr.write(
    "auth-migrate: There are too many open files (" +
      error.code +
      ").\n" +
      "Allow more of them, as by ulimit -n 1024; then run the same command again.\n",
  );
  return 75;
});
