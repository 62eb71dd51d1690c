import { createHash } from "node:crypto"
import type { Resource } from "../../schema/compile/resource.ts"
import type { OrderKey } from "../../sql/parse/parse-order.ts"
import type { Boundary } from "../../sql/read/order-boundary.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** The list to which a cursor belongs: the records of a resource, or the versions of one of them. */
export interface OrderedList {
  readonly selection: { readonly resource: Resource }
  readonly order: readonly OrderKey[]
  /** The id of the record whose versions are listed. */
  readonly versionsOf?: string
}

/** Returns the cursor of a position in the list, for the caller. */
export async function writeCursor(ctx: OperationContext, list: OrderedList, boundary: Boundary): Promise<string> {
  const cursor = await encryptCursor(ctx, [fingerprint(list), SIDES.indexOf(boundary.side), boundary.values])
  if (cursor.length <= QUERY_LIMITS.maxCursorLength) return cursor
  throw invalid("orderBy", "A record of this page has too long a text for a cursor. Sort by another field.")
}

/** A cursor as a caller has sent it, and the option in which it was. */
interface GivenCursor {
  readonly option: "after" | "before"
  readonly cursor: string
}

/** Returns the position that a cursor stands for. Throws unless the cursor was made for this list and this caller. */
export async function readCursor(
  ctx: OperationContext,
  list: OrderedList,
  { option, cursor }: GivenCursor,
): Promise<Boundary> {
  const [madeFor, side, values] = await decryptCursor(ctx, { option, cursor })
  if (madeFor !== fingerprint(list))
    throw invalid(option, list.versionsOf === undefined ? OF_ANOTHER_LIST : OF_OTHER_VERSIONS)
  // The casts are safe: `writeCursor` has made this cursor, because no other list has this fingerprint.
  return { side: SIDES[side as number] ?? "after", values: values as Boundary["values"] }
}

/** Encrypts what a cursor of the caller says. Its first member identifies the list. */
export function encryptCursor(ctx: OperationContext, members: readonly unknown[]): Promise<string> {
  return ctx.cursors.encrypt(JSON.stringify(members), ownerOf(ctx))
}

/** Returns what a cursor says. Throws unless it was made by `encryptCursor` for this caller. */
export async function decryptCursor(
  ctx: OperationContext,
  { option, cursor }: GivenCursor,
): Promise<readonly unknown[]> {
  const isShort = cursor.length <= QUERY_LIMITS.maxCursorLength
  const text = isShort ? await ctx.cursors.decrypt(cursor, ownerOf(ctx)) : undefined
  if (text === undefined) throw invalid(option, UNREADABLE)
  // The cast is safe: nobody else can encrypt a text.
  return JSON.parse(text) as readonly unknown[]
}

const SIDES = ["before", "after"] as const

const UNREADABLE =
  "This cursor cannot be read: it was cut or changed, or made for another user or with another secret. Begin again with null."
const OF_ANOTHER_LIST =
  "This cursor belongs to another list: another collection, order or locale, or fields of other types. Begin again with null."
const OF_OTHER_VERSIONS =
  "This cursor belongs to another list: the versions of another record, or a list of records. Begin again with null."

/** Returns whose cursors the caller gets and may use: a user's or, without one, those of all anonymous callers. */
export function ownerOf({ isSystem, session }: OperationContext): string {
  return JSON.stringify(isSystem ? ["system"] : ["user", session?.user.id ?? null])
}

// Returns a short text that differs if the order does: its collection, fields, directions, locale or types. That of a
// list of versions has the record, too.
function fingerprint({ selection: { resource }, order, versionsOf }: OrderedList): string {
  const record = versionsOf === undefined ? [] : [resource.kind, versionsOf]
  const described = JSON.stringify([resource.name, order.map(describeKey), ...record])
  return createHash("sha256").update(described).digest("base64url").slice(0, FINGERPRINT_CHARACTERS)
}

const FINGERPRINT_CHARACTERS = 22

function describeKey({ through, field, direction }: OrderKey): readonly unknown[] {
  const { name, type, localized } = field
  const path = [...through.map((step) => step.name), name]
  return [path, direction, type.sqlType, type.expression ?? null, localized?.chain ?? null]
}
