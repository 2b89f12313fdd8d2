// Opens a file to read it, says so on stdout, and goes away at the end of its input, or a moment
// later: the writer that waits for it can't tell it to. Runs the built package.

import { writeSync } from "node:fs";
import { openForReading } from "../../dist/sqlite/reading.js";

const [, , path, applicationId, moment] = process.argv;
const options = { applicationId: Number(applicationId), schema: "CREATE TABLE t (x)", version: 1 };
const database = openForReading(path, options);
database.prepare("SELECT count(*) FROM t").all();
writeSync(1, "open\n");
if (moment === undefined) process.stdin.resume().on("end", () => database.close());
else setTimeout(() => database.close(), Number(moment));
