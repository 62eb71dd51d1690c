/** A member of a generated interface, such as `title?: string | null`. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
  readonly isReadonly?: boolean
}

export function interfaceText(name: string, members: readonly Member[], base?: string): string {
  return `export interface ${name}${base === undefined ? "" : ` extends ${base}`} ${membersText(members, "")}`
}

/** An interface that a generated interface extends. */
interface Base {
  readonly name: string
  readonly members: readonly Member[]
}

/**
 * Returns the text of an interface for input. Without members, it returns a type that accepts no properties instead,
 * because an empty interface would accept every object. Members of the base interface are not repeated.
 */
export function inputText(name: string, members: readonly Member[], base?: Base): string {
  if (members.length === 0) return `export type ${name} = Record<string, never>`
  if (base === undefined || base.members.length === 0) return interfaceText(name, members)
  const known = new Set(base.members.map(memberText))
  return interfaceText(
    name,
    members.filter((member) => !known.has(memberText(member))),
    base.name,
  )
}

/** Returns the body of an interface, `{ … }`, with one member per line. */
export function membersText(members: readonly Member[], indent: string): string {
  if (members.length === 0) return "{}"
  const lines = members.map((member) => `${indent}  ${memberText(member)}`)
  return `{\n${lines.join("\n")}\n${indent}}`
}

function memberText({ name, type, isOptional, isReadonly }: Member): string {
  return `${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${type}`
}
