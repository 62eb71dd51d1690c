import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { readPage } from "../../../engine/operations/reads/find.ts"
import { planPage } from "../../../engine/read/plan-read.ts"
import { IDENTITY_FIELD_NAMES } from "../../../schema/builders/users.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { usersOf } from "./user-store.ts"

interface UserList {
  readonly users: readonly RecordData[]
  /** The number of all users that match, on all pages. */
  readonly total: number
}

interface UserListOptions {
  /** Part of a name or an address. */
  readonly search?: unknown
  readonly limit?: unknown
  readonly offset?: unknown
}

const COLUMNS = Object.fromEntries(["id", ...IDENTITY_FIELD_NAMES, "createdAt"].map((name) => [name, true]))

/**
 * Returns a page of the users by name, with the fields that every user has. It bypasses the read rules of the users
 * collection, so the caller of this function must have checked that the user is an admin.
 */
export async function listUsers(ctx: OperationContext, { search, limit, offset }: UserListOptions): Promise<UserList> {
  const options = {
    columns: COLUMNS,
    orderBy: { name: "asc" },
    ...(search !== undefined && search !== "" && { where: whereContains(search) }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(offset !== undefined && { offset: Number(offset) }),
  }
  const system = { ...ctx, isSystem: true, isNested: true }
  const { docs, totalDocs } = await readPage(system, await planPage(system, usersOf(ctx), { options, isText: false }))
  return { users: docs, total: totalDocs }
}

function whereContains(search: unknown) {
  if (typeof search !== "string") throw invalid("search", "Expected a text.")
  return { OR: [{ name: { contains: search } }, { email: { contains: search } }] }
}
