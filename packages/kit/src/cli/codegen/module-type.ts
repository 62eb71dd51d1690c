/** The modules of the author's files relative to `src/`, by kind and name: "collection:articles"; and "file:…" of each. */
export type Modules = ReadonlyMap<string, string>

/** The type of what a file exports as default. The ending .js finds the .ts file under every way of resolving modules. */
export function moduleType(modules: Modules, { kind, name }: { kind: string; name: string }): string {
  const module = modules.get(`${kind}:${name}`)
  if (module === undefined) throw new Error(`The file of the ${kind} "${name}" is not known.`)
  return `typeof import(${JSON.stringify(`../${module}.js`)}).default`
}
