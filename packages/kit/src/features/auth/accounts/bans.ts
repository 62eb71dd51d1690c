import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"

/** Returns the user fields that store a ban, in the order in which `isBanned` reads their values. */
export function banFields({ fields }: Resource): readonly ResourceField[] {
  return ["banned", "banExpires"].flatMap((name) => fields.get(name) ?? [])
}

/** True if the user is banned at the time `now`. The array must start with the values of the user's `banFields`. */
export function isBanned([banned, expires]: readonly unknown[], now: Date): boolean {
  return banned === true && !(expires instanceof Date && expires <= now)
}
