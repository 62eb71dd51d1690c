import { IDENTITY_FIELD_NAMES } from "../builders/users.ts"
import type { Resource, ResourceField } from "./resource.ts"

// A banned user has no session that could tell.
const BAN_FIELDS: ReadonlySet<string> = new Set(["banned", "banReason", "banExpires"])

/** What a session shows of its user: what is theirs to know, and the author's fields that nobody is kept from. */
export function sessionFields(users: Resource): readonly ResourceField[] {
  return users.columns.filter((field) => !BAN_FIELDS.has(field.name) && (isOfIdentity(field) || isOpen(field)))
}

/** Those of them that the author has declared, by name. */
export function authoredSessionFields(users: Resource): readonly string[] {
  return sessionFields(users)
    .filter((field) => !isOfIdentity(field))
    .map(({ name }) => name)
}

function isOfIdentity({ name, system }: ResourceField): boolean {
  return system || IDENTITY_FIELD_NAMES.includes(name)
}

function isOpen({ hidden, access }: ResourceField): boolean {
  return !hidden && (access.read ?? true) === true
}
