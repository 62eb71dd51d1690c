import { matchesWhere, type PartSchema } from "kit/client"

/** Returns the names of the members that a form shows for these values: conditions are about the other members. */
export function shownMembers(fields: Readonly<Record<string, PartSchema>>, value: unknown): readonly string[] {
  const names = Object.keys(fields)
  // A condition on a member that has no value yet is one on null.
  const values = { ...Object.fromEntries(names.map((name) => [name, null])), ...Object(value) }
  return names.filter((name) => {
    const visible = fields[name]?.visible ?? null
    return visible === null || matchesWhere(visible, values) !== false
  })
}
