import type { AccessContext, AccessRules } from "../access/access.ts"
import type { CollectionBuilders } from "../context/register.ts"
import { fieldSet as f } from "../fields/field-set.ts"
import { ONE_LINE_FORMAT } from "../fields/one-line.ts"
import { TextField } from "../fields/text.ts"
import { Collection } from "./collection.ts"
import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type FieldTools,
  type ResourceDefinition,
} from "./definition.ts"
import type { Field } from "./field.ts"
import { type IdentityDefinition, PRIVATE_FIELDS, type PrivateRules } from "./identity-definition.ts"

// Denies callers every write of the identity fields: only sign-up, sign-in and system code write them.
const SYSTEM_WRITES_ONLY = Object.freeze({ create: false, update: false })

export const NAME_MAX_CHARACTERS = 200
export const IMAGE_MAX_CHARACTERS = 2000

// Makes a text field that rejects line breaks and control characters, because its value is written to mails and logs.
const singleLineText = (max: number) => new TextField({ name: "text", max, format: ONE_LINE_FORMAT })

const IDENTITY_FIELDS = Object.freeze({
  name: singleLineText(NAME_MAX_CHARACTERS).required().trim().access(SYSTEM_WRITES_ONLY),
  email: f.email().required().unique().trim().lowercase().access(SYSTEM_WRITES_ONLY),
  emailVerified: f.boolean().required().default(false).access(SYSTEM_WRITES_ONLY),
  image: singleLineText(IMAGE_MAX_CHARACTERS).access(SYSTEM_WRITES_ONLY),
  role: singleLineText(100).required().default("user").access(SYSTEM_WRITES_ONLY),
  banned: f.boolean().required().default(false).access(SYSTEM_WRITES_ONLY),
  banReason: f.text(500).access(SYSTEM_WRITES_ONLY),
  banExpires: f.datetime().access(SYSTEM_WRITES_ONLY),
})

export type IdentityFields = typeof IDENTITY_FIELDS

/** The names of the fields that every user has, in the order of a response. */
export const IDENTITY_FIELD_NAMES: readonly string[] = Object.freeze(Object.keys(IDENTITY_FIELDS))

/** The builder of the users collection: the identity fields, and the fields that the author adds. */
export class Users<Declared extends DeclaredFields = DeclaredFields> extends Collection<Declared> {
  override fields<Given extends DeclaredFields>(declare: (tools: FieldTools) => Given): Users<IdentityFields & Given> {
    return new Users(withIdentityFields(this.definition, { authorFields: declareFields(declare) }))
  }

  /** Sets the access rules by operation. Without a `read` rule, users can read only their own record. */
  override access(rules: AccessRules): this {
    const access = Object.freeze({ ...this.definition.access, ...rules })
    return this.changed(withIdentityFields({ ...this.definition, access }, {}))
  }

  /**
   * Sets which callers besides admins may read the private identity fields, such as `email`. This has an effect only if
   * the author has set a `read` rule.
   *
   * users().access({ read: true }).privateAccess({ email: ({ session }) => session !== null })
   */
  privateAccess(reads: PrivateRules): this {
    return this.changed(withIdentityFields(this.definition, { privateReadRules: Object.freeze({ ...reads }) }))
  }
}

/**
 * Extends the users collection. `src/collections/users.ts` exports the result as default. An app without that file has
 * a users collection too.
 *
 * export default users().fields(({ f }) => ({ bio: f.textarea() })).access({ read: true })
 */
export function users(): RegisteredUsers
export function users(): object {
  const empty = { ...emptyDefinition("collection", "users"), access: Object.freeze({ read: isSelf }), title: "name" }
  return new Users(withIdentityFields(empty, { authorFields: {}, privateReadRules: {} }))
}

type RegisteredUsers = CollectionBuilders extends { users: infer Registered } ? Registered : Users<IdentityFields>

function withIdentityFields(definition: ResourceDefinition, change: Partial<IdentityDefinition>): ResourceDefinition {
  const identity = { authorFields: {}, privateReadRules: {}, ...definition.identity, ...change }
  const isOpened = definition.access.read !== isSelf
  const fields = {
    ...(isOpened ? fieldsWithPrivateRules(identity.privateReadRules) : IDENTITY_FIELDS),
    ...identity.authorFields,
  }
  return { ...definition, identity: Object.freeze(identity), fields: Object.freeze(fields) }
}

function fieldsWithPrivateRules(reads: PrivateRules): Record<string, Field> {
  const fields: Record<string, Field> = { ...IDENTITY_FIELDS }
  for (const name of PRIVATE_FIELDS) {
    fields[name] = IDENTITY_FIELDS[name].access({ ...SYSTEM_WRITES_ONLY, read: reads[name] ?? isAdmin })
  }
  return fields
}

function isSelf({ session }: AccessContext) {
  return session && { id: session.user.id }
}

function isAdmin({ session }: AccessContext): boolean {
  return session?.user.role === "admin"
}
