/**
 * The paths of the author's modules, relative to `src/`, by kind and name such as "collection:articles". Entries with
 * keys such as "file:…" map a module to its file.
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
