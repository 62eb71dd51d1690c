import { IDENTITY_FIELD_NAMES } from "../builders/users.ts"
import { isUpdatable, type Resource, type ResourceField } from "./resource.ts"

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

/**
 * Returns the author's fields that a sign-up can set: those to which the author gave a `create` rule. Fields whose errors
 * depend on other records are left out, because these errors would reveal whether the address already had an account.
 */
export function signUpFields(users: Resource): readonly ResourceField[] {
  const unique = new Set(users.indexes.filter((index) => index.unique).flatMap(({ fields }) => fields))
  return authorFields(users).filter((field) => {
    const isPlain = field.isStored && !field.relation && !field.localized && !field.unique && !unique.has(field)
    return isPlain && (field.access.create ?? false) !== false
  })
}

/** Returns the author's fields that users may change in their own record, if the update rules allow it. */
export function profileFields(users: Resource): readonly ResourceField[] {
  return authorFields(users).filter(({ access }) => access.update !== false)
}

function authorFields(users: Resource): readonly ResourceField[] {
  return [...users.fields.values()].filter((field) => !isIdentityField(field) && isUpdatable(users, field))
}

function isIdentityField({ name, system }: ResourceField): boolean {
  return system || IDENTITY_FIELD_NAMES.includes(name)
}

function isReadableByAll({ hidden, access }: ResourceField): boolean {
  return !hidden && (access.read ?? true) === true
}
