/** What MySQL's values are as a table's cells: as PostgreSQL's are, whatever the server, the session or the column says of zones and encodings. */

import { expect, it } from "vitest";
import { connectMysql, mayReadAll } from "../../../src/source/database/mysql.js";
import { servers } from "./servers.js";
import { usersIn } from "./users-in.js";

const { mysql } = servers();

it("64-bit ids, flags, bits, times of a zone, zero dates, JSON, bytes and other encodings, in the order of the key", async () => {
  const { query, byKeeper } = await mysql.people();
  await query(`
    CREATE TABLE members (id bigint unsigned PRIMARY KEY, email varchar(99), name varchar(99) CHARACTER SET latin1,
      is_active tinyint(1), is_locked bit(1), created_at datetime, confirmed_at timestamp NULL, born date,
      roles json, photo varbinary(9), login varbinary(99), token binary(4))
      PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (100), PARTITION b VALUES LESS THAN MAXVALUE);
    SET time_zone = '+02:00';
    INSERT INTO members VALUES
      (18446744073709551614, 'bo@example.com', 'Bo, "the" one', 0, b'1', '0000-00-00', '0000-00-00', '0000-00-00', NULL, NULL, NULL, NULL),
      (7, 'ann@example.com', 'Jörg', 1, b'0', '2020-01-01 23:30', '2020-01-01 23:30', '2020-02-29', '["editor"]', x'00ff', 'ann', 'abcd'),
      (8, '', 'Zoë', 2, NULL, '2020-01-01 23:30:00', NULL, '2020-00-00', '{"a": "x\\\\ny"}', '', 'a\\nb', 'abcd');
    CREATE VIEW seen AS SELECT * FROM members`);
  const rowsOf = async (sql: string): Promise<readonly string[]> => {
    const connection = await connectMysql(byKeeper.login);
    const blocks: Buffer[] = [];
    for await (const block of connection.rows(sql)) blocks.push(block);
    return Buffer.concat(blocks).toString().split("\n").slice(0, -1);
  };
  const rows = await rowsOf("SELECT * FROM members ORDER BY id");
  expect(rows).toEqual([
    "id,email,name,is_active,is_locked,created_at,confirmed_at,born,roles,photo,login,token",
    '7,ann@example.com,Jörg,1,0,2020-01-01 23:30:00,2020-01-01 21:30:00,2020-02-29,"[""editor""]","\\x00ff",ann,"\\x61626364"',
    '8,"",Zoë,2,,2020-01-01 23:30:00,,2020-00-00,"{""a"": ""x\\ny""}","","\\x610a62","\\x61626364"',
    '18446744073709551614,bo@example.com,"Bo, ""the"" one",0,1,,,,,,,',
  ]);
  expect(await rowsOf("SELECT * FROM members WHERE id = 1")).toEqual(rows.slice(0, 1));
  for (const table of ["members", "seen"]) {
    const { items } = await usersIn({ ...byKeeper, table });
    expect(
      items.map((item) => (item.record as { sourceId?: string } | undefined)?.sourceId),
    ).toEqual(["7", undefined, "18446744073709551614"]);
  }
});

it("a reader sees all tables by a right to the whole database, also of a role that is in force", async () => {
  const { query, input, byKeeper } = await mysql.people();
  const seesAll = async (): Promise<boolean> => {
    const connection = await connectMysql(input.login);
    await connection.close();
    return connection.seesAll;
  };
  const { user, database } = input.login;
  expect(await seesAll()).toBe(false);
  await query(`CREATE ROLE of_readers; GRANT SELECT ON \`${database.replace("_", "\\_")}\`.* TO of_readers;
    GRANT of_readers TO ${user}@'127.0.0.1'`);
  expect(await seesAll()).toBe(false);
  await query(`SET DEFAULT ROLE of_readers FOR ${user}@'127.0.0.1'`);
  expect(await seesAll()).toBe(true);
  const keeper = await connectMysql(byKeeper.login);
  await keeper.close();
  expect(keeper.seesAll).toBe(true);
});

it.each([
  ["GRANT SELECT, INSERT ON `shop`.* TO `reader`@`%`", true],
  ["GRANT ALL PRIVILEGES ON *.* TO `keeper`@`%` WITH GRANT OPTION", true],
  ["GRANT SELECT ON `sh%`.* TO `reader`@`%`", true],
  ["GRANT SELECT ON `s\\_op`.* TO `reader`@`%`", false],
  ["GRANT SELECT ON `shop`.`users` TO `reader`@`%`", false],
  ["GRANT SELECT (`id`) ON `shop`.* TO `reader`@`%`", false],
  ["GRANT INSERT ON `shop`.* TO `reader`@`%`", false],
  ["GRANT USAGE ON *.* TO `reader`@`%`", false],
  ["GRANT `readers`@`%` TO `reader`@`%`", false],
])("of a grant it is known whether all may be read: %s", (grant, mayRead) => {
  expect(mayReadAll(grant, "shop")).toBe(mayRead);
});
