import { IDENTITY_FIELD_NAMES } from "../builders/users.ts"
import type { Resource, ResourceField } from "./resource.ts"

// The user fields about a ban. A session never contains them, because a banned user has no session.
const BAN_FIELDS: ReadonlySet<string> = new Set(["banned", "banReason", "banExpires"])

/** Returns the user fields in a session: the identity fields, and the author's fields that every caller may read. */
export function sessionFields(users: Resource): readonly ResourceField[] {
  return users.columns.filter(
    (field) => !BAN_FIELDS.has(field.name) && (isIdentityField(field) || isReadableByAll(field)),
  )
}

/** Returns the names of the author's fields that a session contains. */
export function authoredSessionFields(users: Resource): readonly string[] {
  return sessionFields(users)
    .filter((field) => !isIdentityField(field))
    .map(({ name }) => name)
}

function isIdentityField({ name, system }: ResourceField): boolean {
  return system || IDENTITY_FIELD_NAMES.includes(name)
}

function isReadableByAll({ hidden, access }: ResourceField): boolean {
  return !hidden && (access.read ?? true) === true
}
