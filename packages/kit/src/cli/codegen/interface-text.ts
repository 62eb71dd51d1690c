/** A member of a generated interface: `title?: string | null`. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
  readonly isReadonly?: boolean
}

export function interfaceText(name: string, members: readonly Member[], base?: string): string {
  return `export interface ${name}${base === undefined ? "" : ` extends ${base}`} ${membersText(members, "")}`
}

/** An interface that others extend. */
export interface Base {
  readonly name: string
  readonly members: readonly Member[]
}

/**
 * An interface of what a caller may give; without members it accepts nothing, where an empty one accepts everything.
 * Members that the base has are not said again.
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

/** `{ … }` with a member a line. */
export function membersText(members: readonly Member[], indent: string): string {
  if (members.length === 0) return "{}"
  const lines = members.map((member) => `${indent}  ${memberText(member)}`)
  return `{\n${lines.join("\n")}\n${indent}}`
}

function memberText({ name, type, isOptional, isReadonly }: Member): string {
  return `${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${type}`
}
