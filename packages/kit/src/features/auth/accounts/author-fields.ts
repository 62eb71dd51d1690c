import { evaluateInputFields, refuseFields } from "../../../engine/access/field-rights.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { updateRecord } from "../../../engine/operations/writes/update.ts"
import { parseUpdateInput } from "../../../engine/write/input.ts"
import type { ResourceField } from "../../../schema/compile/resource.ts"
import { profileFields, signUpFields } from "../../../schema/compile/session-fields.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { fitProfile } from "./profile.ts"
import { UserStore, usersOf } from "./user-store.ts"

type Body = Readonly<Record<string, unknown>>

/**
 * Returns the author's fields in the body of a sign-up. Throws if their rules deny them or their values are invalid.
 * This happens before the account is looked for, so that an error reveals nothing about the address.
 */
export async function readSignUpFields(ctx: OperationContext, body: Body): Promise<RecordData> {
  const users = usersOf(ctx)
  const input = pick(body, signUpFields(users))
  const conditions = await evaluateInputFields(ctx, users, { operation: "create", input })
  // A rule that allows a field in some rows cannot be evaluated, because there is no row yet.
  refuseFields(conditions, [], "create this field")
  await parseUpdateInput(ctx, { resource: users, data: input })
  return input
}

/** A user's change of their own record. */
interface ProfileChange {
  readonly userId: string
  readonly body: Body
}

/** True if the body has fields that the author added to the users collection. */
export function hasAuthorFields(ctx: OperationContext, body: Body): boolean {
  return Object.keys(pick(body, profileFields(usersOf(ctx)))).length > 0
}

/**
 * Changes the author's fields of a user under the rules of the users collection, and the name and the image, which users
 * may always change, in one transaction.
 */
export async function changeProfile(ctx: OperationContext, { userId, body }: ProfileChange): Promise<void> {
  const users = usersOf(ctx)
  const fields = pick(body, profileFields(users))
  const { name, image } = body
  const identity = { ...(name !== undefined && { name }), ...(image !== undefined && { image }) }
  await ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await updateRecord(inner, users, { id: userId, data: fields })
    const where = [{ field: "id", operator: "eq", value: userId, connector: "AND" }] as const
    if (Object.keys(identity).length > 0) await new UserStore(inner).update(where, fitProfile(identity))
  })
}

function pick(body: Body, fields: readonly ResourceField[]): RecordData {
  const given = fields.filter(({ name }) => Object.hasOwn(body, name) && body[name] !== undefined)
  return Object.fromEntries(given.map(({ name }) => [name, body[name]]))
}
