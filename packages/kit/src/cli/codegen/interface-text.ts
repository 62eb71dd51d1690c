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

/** An interface of what a caller may give; without members it accepts nothing, where an empty one accepts everything. */
export function inputText(name: string, members: readonly Member[]): string {
  return members.length === 0 ? `export type ${name} = Record<string, never>` : interfaceText(name, members)
}

/** `{ … }` with a member a line. */
export function membersText(members: readonly Member[], indent: string): string {
  if (members.length === 0) return "{}"
  const lines = members.map(
    ({ name, type, isOptional, isReadonly }) =>
      `${indent}  ${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${type}`,
  )
  return `{\n${lines.join("\n")}\n${indent}}`
}
