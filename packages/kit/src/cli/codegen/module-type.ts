/**
 * A map from a kind and a name, such as "collection:articles", to the path of the author's module, relative to `src/`
 * and without an extension. A second kind of entry, "file:" and that path, maps the module to its file.
 */
export type Modules = ReadonlyMap<string, string>

/**
 * Returns the type of a module's default export. The import ends in ".js", by which every module resolution mode of
 * TypeScript finds the .ts file.
 */
export function moduleType(modules: Modules, { kind, name }: { kind: string; name: string }): string {
  const module = modules.get(`${kind}:${name}`)
  if (module === undefined) throw new Error(`The file of the ${kind} "${name}" is not known.`)
  return `typeof import(${JSON.stringify(`../${module}.js`)}).default`
}
