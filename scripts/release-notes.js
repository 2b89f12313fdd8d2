/**
 * Prints what a release brings: its section of CHANGELOG.md, and its image by digest.
 *
 *   node scripts/release-notes.js v1.2.3 [IMAGE@DIGEST]
 *
 * It fails where the tag, package.json and CHANGELOG.md don't have the same version.
 */

import { readFileSync } from "node:fs";

const [tag = "", image] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
if (tag !== `v${version}`) fail(`the tag is ${tag}, and package.json has version ${version}`);

const [, ...sections] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
if (section === undefined) fail(`CHANGELOG.md has no section ${version}`);
process.stdout.write(`${section.slice(section.indexOf("\n")).trim()}\n`);
if (image !== undefined) process.stdout.write(`\n## Image\n\n\`\`\`\n${image}\n\`\`\`\n`);

function fail(what) {
  process.stderr.write(`No release: ${what}.\n`);
  process.exit(1);
}
