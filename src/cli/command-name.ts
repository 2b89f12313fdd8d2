/** A command's name. It stands apart from what a command is, which loads every option's schema: help and version need none. */

import type { Command } from "commander";

/** As it is typed behind the program's. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null ? "" : `${nameOf(parent)} ${command.name()}`.trim();
}
