/** Where a module lies that a thread is to run: threads run compiled code alone. */

/**
 * The compiled module at `path` beside the one at `from`. The tests load the source, which Node
 * can't run; they are always run after a build, so from there the way leads to what was built.
 *
 * @param path relative, with the ending `.js`
 * @param from the asking module's `import.meta.url`
 */
export function compiledModule(path: string, from: string): URL {
  const module = new URL(path, from);
  if (from.endsWith(".ts"))
    module.pathname = module.pathname.replace(/\/src\/(?=(?:core|sqlite)\/)/, "/dist/");
  return module;
}
