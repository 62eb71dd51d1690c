/** A member of a generated interface: `title?: string | null`. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
}

export function interfaceText(name: string, members: readonly Member[]): string {
  // An empty interface would accept every object.
  if (members.length === 0) return `export type ${name} = Record<string, never>`
  return `export interface ${name} ${membersText(members, "")}`
}

/** `{ … }` with a member a line. */
export function membersText(members: readonly Member[], indent: string): string {
  if (members.length === 0) return "{}"
  const lines = members.map(({ name, type, isOptional }) => `${indent}  ${name}${isOptional ? "?" : ""}: ${type}`)
  return `{\n${lines.join("\n")}\n${indent}}`
}
