import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"

/** The fields that store a ban, in the order in which `isBanned` reads their values. */
export function banFields({ fields }: Resource): readonly ResourceField[] {
  return ["banned", "banExpires"].flatMap((name) => fields.get(name) ?? [])
}

/** True if a row that starts with the values of `banFields` belongs to a user who is banned now. */
export function isBanned([banned, expires]: readonly unknown[], now: Date): boolean {
  return banned === true && !(expires instanceof Date && expires <= now)
}
