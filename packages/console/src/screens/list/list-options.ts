import type { CollectionSchema } from "kit/client"
import { ownMember } from "../../kit/own-member.ts"
import { type Column, titleName } from "./columns.ts"
import type { ResolvedCondition } from "./filter/resolve-condition.ts"
import { whereOf } from "./filter/resolve-condition.ts"
import type { ListState } from "./list-state.ts"

/** Which records a list has: the options that a count takes, too. */
export interface ListFilter {
  readonly where?: Readonly<Record<string, unknown>>
  readonly search?: string
  readonly stage?: string
  readonly locale?: string
  readonly includeDeleted?: true
}

/** Which records a list has, in which order, and what is read of them. */
export interface ListOptions extends ListFilter {
  readonly orderBy?: Readonly<Record<string, unknown>>
  readonly columns: Readonly<Record<string, true>>
  readonly with?: Readonly<Record<string, unknown>>
}

/** Returns the stage that a list reads: the working copies, for those who may read some of them. */
function stageOf({ options, access }: CollectionSchema, { stage }: Pick<ListState, "stage">): string | undefined {
  if (!options.workflow.enabled) return undefined
  const { initialStage, publicStage } = options.workflow
  const mayReadDrafts = (access.operations.drafts ?? false) !== false && initialStage !== null
  if (!mayReadDrafts || initialStage === null) return undefined
  return stage === publicStage ? publicStage : initialStage
}

// The field that says whether a working copy differs from what is public.
const CHANGED = "changedSincePublished"

/** Returns the description of what a list reads. What is public has no mark of what was changed since. */
export function schemaInStage(schema: CollectionSchema, place: Pick<ListState, "stage">): CollectionSchema {
  const { workflow } = schema.options
  const isPublic = workflow.enabled && stageOf(schema, place) === workflow.publicStage
  if (!isPublic || schema.fields[CHANGED] === undefined) return schema
  const { [CHANGED]: _, ...fields } = schema.fields
  return { ...schema, fields }
}

/** Returns the options that read what a list reads, whatever it looks for: its stage, and deleted records in the trash. */
export function sourceOf(schema: CollectionSchema, place: Pick<ListState, "stage" | "isTrash">): ListFilter {
  const stage = stageOf(schema, place)
  return { ...(stage !== undefined && { stage }), ...(place.isTrash && { includeDeleted: true }) }
}

export function filterOf(
  schema: CollectionSchema,
  state: ListState,
  conditions: readonly ResolvedCondition[],
): ListFilter {
  const view = state.view === null ? null : schema.list.views[state.view]?.where
  const parts = [view ?? null, state.isTrash ? { deletedAt: { isNotNull: true } } : null, ...conditions.map(whereOf)]
  const where = parts.filter((part) => part !== null)
  const search = canBeSearched(schema) ? state.search.trim() : ""
  return {
    ...(where.length === 1 && where[0] && { where: where[0] }),
    ...(where.length > 1 && { where: { AND: where } }),
    ...(search !== "" && { search }),
    ...sourceOf(schema, state),
    ...(state.locale !== null && { locale: state.locale }),
  }
}

/** Returns the order of a list: the chosen one, that of the view, or that of the author; undefined for newest first. */
export function orderOf(schema: CollectionSchema, state: ListState): Readonly<Record<string, unknown>> | undefined {
  const view = state.view === null ? null : schema.list.views[state.view]?.orderBy
  if (state.order === null || !isKnownOrder(schema, state.order)) return view ?? schema.list.orderBy ?? undefined
  const direction = state.order.startsWith("-") ? "desc" : "asc"
  const path = state.order.replace(/^-/, "").split(".")
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), direction) as Record<string, unknown>
}

/** Returns the order as the address writes it, if it is one by a single value; otherwise null. */
export function orderText(order: Readonly<Record<string, unknown>> | undefined): string | null {
  const path: string[] = []
  let at: unknown = order
  while (at !== null && typeof at === "object") {
    const [entry, ...others] = Object.entries(at)
    if (entry === undefined || others.length > 0) return null
    path.push(entry[0])
    at = entry[1]
  }
  if (path.length === 0) return null
  return `${at === "desc" ? "-" : ""}${path.join(".")}`
}

/** Returns whether the records of a collection can be searched by this person. */
export function canBeSearched({ fields, options }: CollectionSchema): boolean {
  return options.search !== null || Object.values(fields).some(({ searchable }) => searchable)
}

// The record of a file, as far as a list shows it.
const FILE_COLUMNS = { url: true, mimeType: true, filename: true }
const FIRST_RELATED = 3
const VERSIONS = ["revision", "updatedAt"]

/** Returns what is read of each record: the shown columns, and of related records their titles. */
export function selectionOf(
  schema: CollectionSchema,
  columns: readonly Column[],
  cover: string | null,
): Pick<ListOptions, "columns" | "with"> {
  const selected: Record<string, true> = {}
  const related: Record<string, unknown> = {}
  const isDraft = schema.fields[CHANGED] !== undefined
  for (const { name, field, relation, role } of columns) {
    if (role === "locales") Object.assign(selected, versionColumns(schema))
    else if (relation === undefined || relation.type === "belongsTo") selected[name] = true
    if (relation) related[name] = relatedOptions(relation, field.type)
    if (role === "stage" && isDraft) selected[CHANGED] = true
  }
  if (cover !== null) {
    selected[cover] = true
    related[cover] = { columns: FILE_COLUMNS }
  }
  if (schema.options.upload) Object.assign(selected, FILE_COLUMNS)
  selected[titleName(schema)] = true
  return { columns: selected, ...(Object.keys(related).length > 0 && { with: related }) }
}

// The languages of a record are read again when it has changed.
function versionColumns({ fields }: CollectionSchema): Record<string, true> {
  const names = VERSIONS.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, true]))
}

function relatedOptions({ type, titleField }: NonNullable<Column["relation"]>, fieldType: string): object | true {
  const columns = fieldType === "upload" ? FILE_COLUMNS : { [titleField ?? "id"]: true }
  switch (type) {
    case "belongsTo":
      return { columns }
    case "hasMany":
      return { columns: { id: true }, limit: 0, _count: true }
    case "manyToMany":
      return { columns, limit: FIRST_RELATED, _count: true }
    default:
      return type satisfies never
  }
}

function isKnownOrder({ fields, relations }: CollectionSchema, order: string): boolean {
  const [name = "", title, ...others] = order.replace(/^-/, "").split(".")
  if (ownMember(fields, name)?.sortable !== true || others.length > 0) return false
  return title === undefined || ownMember(relations, name)?.titleField === title
}
