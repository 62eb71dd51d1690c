import type { AppSchema, Resource } from "../../schema/compile/resource.ts"

/** The prefix of each resource's generated types, such as `Articles` for `ArticlesRecord` and `ArticlesWhere`. */
export type TypeNames = ReadonlyMap<Resource, string>

/** Returns a distinct prefix for every resource, even if an app has `articles`, `Articles` and a global `articles`. */
export function typeNames({ resources }: AppSchema): TypeNames {
  const names = new Map<Resource, string>()
  const taken = new Set<string>()
  for (const resource of resources) {
    const name = freeName(capitalize(resource.name), taken)
    taken.add(name)
    names.set(resource, name)
  }
  return names
}

/**
 * Returns the type names for system code. A resource gets a name of its own here only if it has fields that callers
 * cannot read or write; otherwise callers and system code share the resource's types.
 */
export function systemTypeNames({ resources }: AppSchema, names: TypeNames): TypeNames {
  const taken = new Set(names.values())
  const all = new Map(names)
  for (const resource of resources.filter(hasSystemTypes)) {
    const name = freeName(`System${typeName(names, resource)}`, taken)
    taken.add(name)
    all.set(resource, name)
  }
  return all
}

export function hasSystemTypes({ fields }: Resource): boolean {
  return [...fields.values()].some(({ hidden, readOnly }) => hidden || readOnly)
}

export function typeName(names: TypeNames, resource: Resource): string {
  const name = names.get(resource)
  if (name === undefined) throw new Error(`The ${resource.kind} "${resource.name}" is not part of the schema.`)
  return name
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Returns the name if it is not taken, otherwise the name with the first free number. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
  return free
}
