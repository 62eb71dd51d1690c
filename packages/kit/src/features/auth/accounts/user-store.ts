import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { createRecord } from "../../../engine/operations/writes/create.ts"
import { deleteRecord } from "../../../engine/operations/writes/delete.ts"
import { updateRecord } from "../../../engine/operations/writes/update.ts"
import { toRecords } from "../../../engine/read/records.ts"
import type { IdentityCondition, IdentityRow } from "../../../ports/identity.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { EVERYTHING } from "../../../sql/filter/predicate.ts"
import { typedParseContext } from "../../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../../sql/parse/parse-selection.ts"
import { parseWhere } from "../../../sql/parse/parse-where.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import type { RecordData } from "../../../wire/results/operations.ts"

/** The user fields that only the server sets. */
const SERVER_FIELDS: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"])

/**
 * Stores users as ordinary records. The author's hooks run around each write, and each write appends a change to the
 * change feed.
 */
export class UserStore {
  readonly #ctx: OperationContext
  readonly #users: Resource

  constructor(ctx: OperationContext) {
    // `isNested` keeps the author's read hooks from running, because only the identity library reads through this
    // context.
    this.#ctx = { ...ctx, isSystem: true, isNested: true }
    this.#users = usersOf(ctx)
  }

  async create(row: IdentityRow): Promise<RecordData> {
    return (await createRecord(this.#ctx, this.#users, { data: writable(row) })).value
  }

  async find(where: readonly IdentityCondition[]): Promise<readonly RecordData[]> {
    const reading = typedParseContext(EVERYTHING)
    const selection = wholeSelection(this.#users, reading)
    const predicate = parseWhere(this.#users, whereOf(where), reading)
    const { rows } = await this.#ctx.connection.query(selectMatching(selection, predicate))
    return toRecords(selection, rows)
  }

  async update(where: readonly IdentityCondition[], change: IdentityRow): Promise<readonly RecordData[]> {
    const data = writable(change)
    const changed: RecordData[] = []
    for (const { id } of await this.find(where)) {
      changed.push((await updateRecord(this.#ctx, this.#users, { id, data })).value)
    }
    return changed
  }

  async delete(where: readonly IdentityCondition[]): Promise<readonly RecordData[]> {
    const found = await this.find(where)
    for (const { id } of found) await deleteRecord(this.#ctx, this.#users, { id })
    return found
  }
}

export function usersOf({ schema }: Pick<OperationContext, "schema">): Resource {
  const users = schema.collections.get("users")
  if (users === undefined) throw new Error("The schema has no users.")
  return users
}

function writable(row: IdentityRow): RecordData {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !SERVER_FIELDS.has(name)))
}

function whereOf(where: readonly IdentityCondition[]): Record<string, unknown> {
  const filters = where.map(({ field, operator, value }) => ({
    [field]: value === null ? null : { [operator]: value },
  }))
  const isAlternative = (_filter: unknown, place: number) => where[place]?.connector === "OR"
  const alternatives = filters.filter(isAlternative)
  const others = filters.filter((filter, place) => !isAlternative(filter, place))
  return { AND: others, ...(alternatives.length > 0 && { OR: alternatives }) }
}
