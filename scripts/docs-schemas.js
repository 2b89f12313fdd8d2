/** `npm run docs:schemas`: writes schemas/ from the machine output's shapes in the code. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { schemaFiles } from "../dist/cli/machine-output/schema-files.js";

const folder = new URL("../schemas/", import.meta.url);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, schema] of Object.entries(schemaFiles())) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
