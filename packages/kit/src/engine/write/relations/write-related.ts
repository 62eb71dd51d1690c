import type { ManyToMany, Resource, ResourceField, ToManyRelation } from "../../../schema/compile/resource.ts"
import type { LinkMove, NestedMany } from "../../../schema/fields/relation.ts"
import { lockLinked } from "../../../sql/versions/write-versions.ts"
import { deleteLinks, insertLinks, selectRelatedIds } from "../../../sql/write/links.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { CallFacts } from "../../access/authorize.ts"
import { mayNameField } from "../../access/known-resources.ts"
import { withErrorPath } from "../../context/error-path.ts"
import type { NestedWriter, OperationContext } from "../../context/operation-context.ts"
import { missingTarget } from "../../database/database-errors.ts"
import { recordKey } from "../../read/by-id.ts"
import type { FieldInput } from "../input.ts"
import { findByUnique, readableIds } from "./find-targets.ts"
import { moveLinks, orderLinks } from "./link-order.ts"
import { checkLinkRights, refusedLinks } from "./link-rights.ts"
import { updateLinkVersions } from "./link-versions.ts"
import {
  checkRelatedWrite,
  hiddenLinks,
  mayWriteRelated,
  publiclyRelatedIds,
  type RecordRelation,
  unknownLinks,
} from "./link-visibility.ts"
import type { NestedWrites } from "./nested.ts"

/** Creates or finds the records that the written record will point to, and puts their ids into `values`. */
export async function writeTargets(ctx: OperationContext, { one }: NestedWrites, values: FieldInput): Promise<void> {
  const counted = withRelatedCount(ctx)
  for (const { field, input } of one) {
    const target = targetOf(field)
    const id =
      "create" in input
        ? await createAt(counted, target, { data: input.create, path: `${field.name}.create` })
        : await findOrCreate(counted, target, { ...input.connectOrCreate, path: `${field.name}.connectOrCreate` })
    values.set(field, id)
  }
}

/**
 * Runs the nested writes to records that are related to the written record. The rules of the related records' own
 * resources apply.
 */
export async function writeRelated(ctx: OperationContext, row: WrittenRow, { many }: NestedWrites): Promise<void> {
  const counted = withRelatedCount(ctx)
  counted.nestedWriteState?.appendedKeys.add(recordKey(row.resource, row.id))
  for (const { field, relation, input } of many) {
    await new RelatedWriter(counted, { row, field, relation }).write(input)
  }
}

interface WrittenRow {
  readonly resource: Resource
  readonly id: string
}

// The maximum number of related records in one request. A body can nest lists in lists, so that each list is within its
// own limit while the total is too large.
const MAX_RELATED = 10_000

function withRelatedCount(ctx: OperationContext): OperationContext {
  return ctx.nestedWriteState ? ctx : { ...ctx, nestedWriteState: { count: 0, appendedKeys: new Set() } }
}

function countRelated({ nestedWriteState }: OperationContext, path: string, more = 1): void {
  if (nestedWriteState === undefined) return
  nestedWriteState.count += more
  if (nestedWriteState.count > MAX_RELATED)
    throw invalid(path, `At most ${MAX_RELATED} related records can be written in one request.`)
}

interface WrittenRelation {
  readonly row: WrittenRow
  readonly field: ResourceField
  readonly relation: ToManyRelation
}

class RelatedWriter {
  readonly #ctx: OperationContext
  readonly #resource: Resource
  readonly #id: string
  readonly #field: ResourceField
  readonly #relation: ToManyRelation
  readonly #target: Resource

  constructor(ctx: OperationContext, { row, field, relation }: WrittenRelation) {
    this.#ctx = { ...ctx, parentKey: recordKey(row.resource, row.id) }
    this.#resource = row.resource
    this.#id = row.id
    this.#field = field
    this.#relation = relation
    this.#target = relation.target
  }

  async write(input: NestedMany): Promise<void> {
    if (input.set) await this.#set(input.set)
    await this.#disconnect(await this.#checkRelated(input))
    for (const id of input.delete)
      await this.#runAt("delete", id, () => this.#writer.delete(this.#ctx, this.#target, id))
    for (const [index, { id, data }] of input.update.entries()) {
      // The cast is safe: the field's type has checked that `data` is an object.
      const change = { id, data: data as RecordData }
      await this.#runAt(`update.${index}.data`, id, () => this.#writer.update(this.#ctx, this.#target, change))
    }
    await this.#connect(input.connect)
    for (const [index, data] of input.create.entries()) await this.#create(data, `create.${index}`)
    for (const [index, choice] of input.connectOrCreate.entries()) {
      await this.#connectOrCreate(choice, `connectOrCreate.${index}`)
    }
    await this.#move(input.move ?? [])
  }

  // Replaces the related records by the given records. Related records that are hidden from the caller stay related,
  // because an error about one would leak that it exists. If a field rule hides which records are already related, all
  // given records are connected, because skipping one would leak that it was related.
  async #set(ids: readonly string[]): Promise<void> {
    await this.#checkReadable(ids)
    const related = await this.#relatedIds()
    const unknown = await unknownLinks(this.#ctx, this.#recordRelation, ids)
    const unknownIds = ids.filter((id) => unknown.has(id))
    await this.#checkLinkWrites(unknownIds, { place: "set", to: this.#id })
    const hidden = await hiddenLinks(this.#ctx, this.#recordRelation, ids)
    await this.#disconnect(await this.#idsToDisconnect(new Set(ids), related), "set")
    await this.#connect(
      ids.filter((id) => !related.has(id) || hidden.has(id)),
      "set",
    )
    await orderLinks(this.#ctx, this.#recordRelation, ids)
  }

  async #move(moves: readonly LinkMove[]): Promise<void> {
    if (moves.length === 0) return
    countRelated(this.#ctx, this.#field.name, moves.length)
    await moveLinks(this.#ctx, this.#recordRelation, moves)
  }

  // Returns the ids of the records that a `set` disconnects. If the caller can see a relation only in the public stage
  // of the related record, the caller needs the right to write that record. If the caller may not know of the relation
  // at all, the record stays related, unless the caller may write it. A reference that a field rule hides always stays,
  // because a new revision of the record would leak it.
  async #idsToDisconnect(kept: ReadonlySet<string>, related: ReadonlySet<string>): Promise<readonly string[]> {
    const shown = new Set(await publiclyRelatedIds(this.#ctx, this.#recordRelation))
    const candidates = [...new Set([...shown, ...related])].filter((id) => !kept.has(id)).sort()
    const readable = await readableIds(this.#ctx, this.#target, candidates)
    const leaving = candidates.filter((id) => readable.has(id))
    const unknown = await unknownLinks(this.#ctx, this.#recordRelation, leaving)
    const publicIds = leaving.filter((id) => unknown.has(id) && shown.has(id))
    await this.#checkLinkWrites(publicIds, { place: "set", to: null })
    const hidden = await hiddenLinks(this.#ctx, this.#recordRelation, leaving)
    const parted: string[] = []
    for (const id of leaving) {
      if (!related.has(id) || hidden.has(id)) continue
      if (!unknown.has(id) || (await this.#mayDisconnect(id))) parted.push(id)
    }
    return parted
  }

  async #relatedIds(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#ctx.connection.query(selectRelatedIds(this.#relation, this.#id))
    return new Set(rows.map((row) => String(row[0])))
  }

  /**
   * Checks the records that the input disconnects, deletes or updates, and returns the ids to disconnect. For an
   * unrelated record, throws the same error as for a missing record. If the caller may not know whether a record is
   * related, the record's write rules are evaluated first, and disconnecting it is no error even if it is unrelated. If
   * a field rule hides the reference to this record, a disconnect is ignored, and a delete or update throws.
   */
  async #checkRelated({ disconnect, delete: deleted, update }: NestedMany): Promise<readonly string[]> {
    const written = [...deleted, ...update.map(({ id }) => id)]
    const ids = [...disconnect, ...written]
    if (ids.length === 0) return disconnect
    const related = await this.#relatedIds()
    await this.#checkReadable(ids)
    const unknown = await unknownLinks(this.#ctx, this.#recordRelation, ids)
    await this.#checkLinkWrites(
      disconnect.filter((id) => unknown.has(id)),
      { place: "disconnect", to: null },
    )
    for (const id of deleted) if (unknown.has(id)) await this.#checkWrite("delete", { operation: "delete", id })
    for (const [index, { id, data }] of update.entries()) {
      // The cast is safe: the field's type has checked that `data` is an object.
      const facts = { operation: "update", id, input: data as RecordData } as const
      if (unknown.has(id)) await this.#checkWrite(`update.${index}.data`, facts)
    }
    const hidden = await hiddenLinks(this.#ctx, this.#recordRelation, ids)
    const parted = disconnect.filter((id) => !hidden.has(id) && (related.has(id) || !unknown.has(id)))
    const isThere = parted.every((id) => related.has(id)) && written.every((id) => related.has(id) && !hidden.has(id))
    if (!isThere) throw this.#missing()
    return parted
  }

  // Checks the right to change each record's foreign key or, in a manyToMany relation, its link.
  async #checkLinkWrites(ids: readonly string[], { place, to }: { place: string; to: string | null }): Promise<void> {
    if (this.#relation.kind === "manyToMany") return checkLinkRights(this.#ctx, this.#relation, ids)
    for (const id of ids) {
      const facts = { operation: "update", id, input: this.#referenceInput(to) } as const
      const check = () => checkRelatedWrite(this.#ctx, this.#target, facts)
      await this.#withErrorPath(`${this.#field.name}.${place}`, id, () => this.#hidingVia(check))
    }
  }

  async #mayDisconnect(id: string): Promise<boolean> {
    const facts = { operation: "update", id } as const
    if (this.#relation.kind === "manyToMany") return !(await refusedLinks(this.#ctx, this.#relation, [id])).has(id)
    return await mayWriteRelated(this.#ctx, this.#target, { ...facts, input: this.#referenceInput(null) })
  }

  #checkWrite(place: string, facts: CallFacts & { readonly id: string }): Promise<void> {
    return this.#withErrorPath(`${this.#field.name}.${place}`, facts.id, () =>
      checkRelatedWrite(this.#ctx, this.#target, facts),
    )
  }

  async #checkReadable(ids: readonly string[]): Promise<void> {
    const readable = await readableIds(this.#ctx, this.#target, ids)
    if (!ids.every((id) => readable.has(id))) throw this.#missing()
  }

  get #writer(): NestedWriter {
    return this.#ctx.writeNested
  }

  get #recordRelation(): RecordRelation {
    return { resource: this.#resource, id: this.#id, field: this.#field, relation: this.#relation }
  }

  #missing(): ApiError {
    return missingTarget(this.#field)
  }

  async #connect(ids: readonly string[], place = "connect"): Promise<void> {
    if (ids.length === 0) return
    await this.#checkReadable(ids)
    if (this.#relation.kind === "manyToMany") {
      countRelated(this.#ctx, this.#field.name, ids.length)
      await this.#writeLinks(insertLinks, this.#relation, ids)
      return
    }
    for (const id of ids) await this.#setReference(place, { id, to: this.#id })
  }

  async #writeLinks(
    statement: typeof insertLinks | typeof deleteLinks,
    relation: ManyToMany,
    others: readonly string[],
  ): Promise<void> {
    await checkLinkRights(this.#ctx, relation, others)
    // These records have their links in order. As in a write of such a record, its row is locked before its links change.
    if (relation.link.ordered === "other") await this.#ctx.connection.query(lockLinked(this.#target, others))
    const known = this.#ctx.nestedWriteState?.appendedKeys ?? new Set()
    const alreadyAppended = others.filter((id) => known.has(recordKey(this.#target, id)))
    const { rows } = await this.#ctx.connection.query(statement(relation, { id: this.#id, others, alreadyAppended }))
    const changed = rows.map(([id]) => String(id))
    for (const id of changed) known.add(recordKey(this.#target, id))
    const { table } = relation.link
    await updateLinkVersions(this.#ctx, this.#resource, { table, written: [this.#id], others: [] })
    await updateLinkVersions(this.#ctx, this.#target, { table, written: alreadyAppended, others: changed })
  }

  async #disconnect(ids: readonly string[], place = "disconnect"): Promise<void> {
    if (ids.length === 0) return
    if (this.#relation.kind === "manyToMany") {
      countRelated(this.#ctx, this.#field.name, ids.length)
      await this.#writeLinks(deleteLinks, this.#relation, ids)
      return
    }
    for (const id of ids) await this.#setReference(place, { id, to: null })
  }

  #setReference(place: string, { id, to }: { readonly id: string; readonly to: string | null }): Promise<void> {
    const data = this.#referenceInput(to)
    const update = () => this.#writer.update(this.#ctx, this.#target, { id, data })
    return this.#runAt(place, id, () => this.#hidingVia(update))
  }

  // Runs `work` and removes the name of the foreign key field from its errors. The caller named only the relation, and
  // the foreign key field may be hidden from them.
  async #hidingVia<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || this.#relation.kind !== "hasMany") throw error
      const { fieldErrors, code } = error
      const { via: field } = this.#relation
      const isNamed = fieldErrors?.some(({ path }) => path === field.name) ?? false
      if (fieldErrors === undefined || !isNamed || (await mayNameField(this.#ctx, this.#target, field))) throw error
      const unnamed = fieldErrors.map((problem) => (problem.path === field.name ? { ...problem, path: "" } : problem))
      throw new ApiError(code, { fieldErrors: unnamed, cause: error })
    }
  }

  async #create(data: unknown, place: string): Promise<void> {
    const path = `${this.#field.name}.${place}`
    if (this.#relation.kind === "manyToMany") {
      const id = await createAt(this.#ctx, this.#target, { data, path })
      await this.#writeLinks(insertLinks, this.#relation, [id])
      return
    }
    const name = this.#nameOf(this.#relation.via)
    const given = objectAt(data, path)
    if (Object.hasOwn(given, name))
      throw invalid(`${path}.${name}`, "The relation itself fills this field. Leave it out.")
    await createAt(this.#ctx, this.#target, { data: { ...given, [name]: this.#id }, path })
  }

  async #connectOrCreate({ where, create }: { where: unknown; create: unknown }, place: string): Promise<void> {
    const path = `${this.#field.name}.${place}`
    const found = await findByUnique(this.#ctx, this.#target, { where, path: `${path}.where` })
    if (found === undefined) await this.#create(create, `${place}.create`)
    else await this.#connect([found])
  }

  async #runAt(place: string, id: string, work: () => Promise<void>): Promise<void> {
    const path = `${this.#field.name}.${place}`
    countRelated(this.#ctx, path)
    await this.#withErrorPath(path, id, work)
  }

  async #withErrorPath(path: string, id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withErrorPath(path, work)
    } catch (error) {
      throw isNotFound(error, this.#target, id) ? this.#missing() : error
    }
  }

  #referenceInput(id: string | null): RecordData {
    return this.#relation.kind === "hasMany" ? { [this.#nameOf(this.#relation.via)]: id } : {}
  }

  // Returns the name of the foreign key field. Throws if that field is hidden, because a later error about it would
  // leak its name.
  #nameOf(via: ResourceField): string {
    if (!via.hidden || this.#ctx.isSystem) return via.name
    throw invalid(this.#field.name, "This relation cannot be changed here.")
  }
}

// True if the error says that this record was deleted after it was found. A NOT_FOUND error about another record comes
// from a hook and is rethrown.
function isNotFound(error: unknown, target: Resource, id: string): boolean {
  if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") return false
  return error.context?.["collection"] === target.name && error.context["id"] === id
}

function targetOf({ name, target }: ResourceField): Resource {
  if (target === undefined) throw new Error(`Field "${name}" is not a relation.`)
  return target
}

interface NestedRecord {
  readonly data: unknown
  readonly path: string
}

async function createAt(ctx: OperationContext, target: Resource, { data, path }: NestedRecord): Promise<string> {
  const given = objectAt(data, path)
  countRelated(ctx, path)
  const id = await withErrorPath(path, () => ctx.writeNested.create(ctx, target, given))
  ctx.nestedWriteState?.appendedKeys.add(recordKey(target, id))
  return id
}

function objectAt(data: unknown, path: string): RecordData {
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data)
  if (!isObject) throw invalid(path, "Expected an object with the fields of the record.")
  // The cast is safe: `data` is an object, and the properties of `RecordData` are unknown.
  return data as RecordData
}

async function findOrCreate(
  ctx: OperationContext,
  target: Resource,
  { where, create, path }: { where: unknown; create: unknown; path: string },
): Promise<string> {
  const found = await findByUnique(ctx, target, { where, path: `${path}.where` })
  return found ?? createAt(ctx, target, { data: create, path: `${path}.create` })
}
