/** `npm run docs:hashes`: writes docs/hashes.md from the catalog in the code. */

import { writeFileSync } from "node:fs";
import { renderPage } from "../dist/hash/catalog/page.js";

writeFileSync(new URL("../docs/hashes.md", import.meta.url), renderPage());
