#!/usr/bin/env node
// Node.js would open its inspector at this signal: memory, with keys and hashes, to all on this machine.
process.on("SIGUSR1", () => {});
await import("../dist/cli/main.js");
