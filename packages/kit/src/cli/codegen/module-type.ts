/** The author's modules relative to `src/`, by kind and name: "collection:articles"; and the file of each: "file:…". */
export type Modules = ReadonlyMap<string, string>

/** The type of a file's default export. Every module resolution mode of TypeScript finds the .ts file by ".js". */
export function moduleType(modules: Modules, { kind, name }: { kind: string; name: string }): string {
  const module = modules.get(`${kind}:${name}`)
  if (module === undefined) throw new Error(`The file of the ${kind} "${name}" is not known.`)
  return `typeof import(${JSON.stringify(`../${module}.js`)}).default`
}
