import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"

/** What tells whether a user is banned, in the order in which `isBanned` takes the values. */
export function banFields({ fields }: Resource): readonly ResourceField[] {
  return ["banned", "banExpires"].flatMap((name) => fields.get(name) ?? [])
}

/** Whether a row that starts with those values is of somebody who is banned now. */
export function isBanned([banned, expires]: readonly unknown[], now: Date): boolean {
  return banned === true && !(expires instanceof Date && expires <= now)
}
