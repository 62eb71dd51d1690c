import type { RowValues } from "../../ports/database.ts"
import type { ResourceField } from "../../schema/compile/resource.ts"
import type { ComputedSelection, HydratedPart, HydratedRelation, Selection } from "../../sql/parse/selection.ts"
import { columnTypes } from "../../sql/read/select.ts"
import { isLocaleMap, type LocaleMapField, valueInLocaleChain } from "../../sql/text/locale-map.ts"
import type { ExtendedMeta, ExtendedType } from "../../wire/codecs/extended-json.ts"
import { COUNT } from "../../wire/options/query-options.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { changeHydratedParts } from "./hydrated-parts.ts"
import { TimeSlice } from "./time-slice.ts"

/**
 * A function that makes a record from a row. It leaves the lists of related records in the record empty, and adds each
 * of them to `lists`, so that they can be filled later.
 */
type ReadRow = (row: RowValues, lists: RelatedList[]) => RecordData

/** A list of related records that is still empty, and the rows that will fill it. */
interface RelatedList {
  readonly records: RecordData[]
  readonly rows: readonly object[]
  readonly read: (json: object, lists: RelatedList[]) => RecordData
  /** Called when the list has all of its records. */
  readonly whenFilled?: () => void
}

/**
 * Makes records from the rows that the selection's statement returned. Yields to the event loop if there are many rows.
 */
export async function toRecords(selection: Selection, rows: readonly RowValues[]): Promise<RecordData[]> {
  const read = readerOf(selection)
  const turn = new TimeSlice()
  const records: RecordData[] = []
  const lists: RelatedList[] = []
  for (const row of rows) {
    if (turn.isOver) await turn.next()
    records.push(read(row, lists))
    if (lists.length > 0) await fillLists(lists, turn)
  }
  return records
}

async function fillLists(lists: RelatedList[], turn: TimeSlice): Promise<void> {
  for (let list = lists.pop(); list; list = lists.pop()) await fillList(list, lists, turn)
}

async function fillList(list: RelatedList, lists: RelatedList[], turn: TimeSlice): Promise<void> {
  const { records, rows, read, whenFilled } = list
  for (const row of rows) {
    if (turn.isOver) await turn.next()
    records.push(read(row, lists))
  }
  whenFilled?.()
}

/** Like `toRecords`, for one record that has no lists of related records. */
export function toRecord(selection: Selection, row: RowValues): RecordData {
  return readerOf(selection)(row, [])
}

const readers = new WeakMap<Selection, ReadRow>()

function readerOf(selection: Selection): ReadRow {
  const known = readers.get(selection)
  if (known) return known
  const read = rowReader(selection, 0)
  readers.set(selection, read)
  return read
}

// Returns a function that makes a record from a row. From index `start` on, the row has the values of the fields, then
// the visibility flags, then the values of the relations, then the lists of the parts.
function rowReader(selection: Selection, start: number): ReadRow {
  const names = selection.fields.map((field) => field.name)
  const flags = flagsOf(selection, start + names.length)
  const relations = relationReaders(selection, start + names.length + flags.size, flags)
  const parts = partReaders(selection, start + widthOfSelection(selection), flags)
  const finishers = finishersOf(selection, flags)
  return (row, lists) => {
    const record: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) record[name] = row[start + index]
    for (const finish of finishers) finish(record, row)
    for (const { name, flagAt, read } of relations) if (isVisible(row, flagAt)) record[name] = read(row, lists)
    for (const { flagAt, readInto } of parts) if (isVisible(row, flagAt)) readInto(record, row, lists)
    return record
  }
}

/**
 * By field name, for each field that is hidden in some rows: the index in the row of the flag that is true if the field
 * is visible in that row.
 */
type VisibilityFlags = ReadonlyMap<string, number>

function flagsOf({ masked }: Selection, start: number): VisibilityFlags {
  return masked === undefined ? NO_FLAGS : new Map(masked.map(({ name }, index) => [name, start + index]))
}

const NO_FLAGS: VisibilityFlags = new Map()

function isVisible(row: RowValues, flagAt: number | undefined): boolean {
  return flagAt === undefined || row[flagAt] === true
}

type Finish = (record: Record<string, unknown>, row: RowValues) => void

// Returns the steps that run after a row's values have been copied into the record. Most resources have none.
function finishersOf({ fields, computed }: Selection, flags: VisibilityFlags): Finish[] {
  const maps = fields.filter(isLocaleMap)
  const revivers = [
    ...fields.filter(({ type }) => type.sqlType === "jsonb" && type.fromJson).map(reviver),
    ...fields.filter(({ type }) => type.fromWider).map(narrower),
  ]
  // The step that removes hidden fields runs before the computed fields are computed, because the author's functions
  // must not see hidden values. It runs again afterwards, because a computed field may be hidden too.
  const hiders = flags.size === 0 ? [] : [hider(flags)]
  return computed === undefined
    ? [...revivers, ...hiders]
    : [...revivers, ...hiders, computer(computed, maps), ...hiders]
}

function hider(flags: VisibilityFlags): Finish {
  return (record, row) => {
    for (const [name, flagAt] of flags) if (!isVisible(row, flagAt)) delete record[name]
  }
}

function reviver({ name, type }: ResourceField): Finish {
  return (record) => {
    if (record[name] !== null) record[name] = type.fromJson?.(record[name])
  }
}

function narrower({ name, type }: ResourceField): Finish {
  return (record) => {
    if (record[name] !== null) record[name] = type.fromWider?.(record[name])
  }
}

// Computes the computed fields. The author's function receives values in one locale, even if the response contains all
// locales.
function computer({ fields, inputs }: ComputedSelection, maps: readonly LocaleMapField[]): Finish {
  return (record) => {
    const row = { ...record }
    for (const { name, inOneLocale } of maps) if (name in row) row[name] = valueInLocaleChain(inOneLocale, row[name])
    Object.freeze(row)
    for (const { name, type } of fields) record[name] = type.compute?.(row)
    for (const { name } of inputs) delete record[name]
  }
}

interface PropertyReader {
  readonly name: string
  readonly flagAt?: number | undefined
  read(row: RowValues, lists: RelatedList[]): unknown
}

function relationReaders(selection: Selection, start: number, flags: VisibilityFlags): PropertyReader[] {
  const counts: PropertyReader[] = []
  let next = start
  const readers = selection.relations.map((relation): PropertyReader => {
    const begin = next
    next += widthOf(relation)
    const { name } = relation.field
    const flagAt = flags.get(name)
    if (relation.toMany === undefined) return { name, flagAt, read: oneReader(relation, begin) }
    if (relation.toMany.isCounted) counts.push({ name, flagAt, read: (row) => row[begin + 1] })
    return { name, flagAt, read: manyReader(relation, begin) }
  })
  return counts.length === 0 ? readers : [...readers, { name: COUNT, read: countReader(counts) }]
}

function countReader(counts: readonly PropertyReader[]): PropertyReader["read"] {
  return (row, lists) => {
    const shown = counts.filter(({ flagAt }) => isVisible(row, flagAt))
    return Object.fromEntries(shown.map(({ name, read }) => [name, read(row, lists)]))
  }
}

function oneReader({ selection }: HydratedRelation, begin: number): PropertyReader["read"] {
  const idAt = begin + selection.fields.indexOf(selection.resource.id)
  const read = rowReader(selection, begin)
  return (row, lists) => (row[idAt] === null ? null : read(row, lists))
}

function manyReader({ selection }: HydratedRelation, at: number): PropertyReader["read"] {
  const listAt = listReader(selection, at)
  return (row, lists) => {
    const list = listAt(row)
    lists.push(list)
    return list.records
  }
}

interface PartReader {
  readonly flagAt: number | undefined
  readInto(record: Record<string, unknown>, row: RowValues, lists: RelatedList[]): void
}

// The lists of the parts are the last columns of the selection, which end at the index `end`.
function partReaders({ parts = [] }: Selection, end: number, flags: VisibilityFlags): PartReader[] {
  return parts.map((part, index) => {
    const { name } = part.field
    const listAt = listReader(part.selection, end - parts.length + index)
    return {
      flagAt: flags.get(name),
      readInto: (record, row, lists) => {
        const list = listAt(row)
        const whenFilled = () => {
          record[name] = withRecords(part, record[name], list.records)
        }
        lists.push({ ...list, whenFilled })
      },
    }
  })
}

// Puts the records in the places of their ids. An id that is in several places has a record for each of them.
function withRecords(part: HydratedPart, value: unknown, records: readonly RecordData[]): unknown {
  const byId = new Map<unknown, RecordData[]>()
  const { id } = part.selection.resource
  for (const record of records) {
    const same = byId.get(record[id.name])
    if (same) same.push(record)
    else byId.set(record[id.name], [record])
  }
  return changeHydratedParts(part, value, (stored) => byId.get(stored)?.pop() ?? null)
}

// Returns a function that makes an empty list for related records. The list's rows are JSON objects whose properties are
// in the order of the select list.
function listReader(selection: Selection, at: number): (row: RowValues) => RelatedList {
  const readRow = rowReader(selection, 0)
  // Values of JSON columns are left as they are here, because `finishersOf` revives them in every record.
  const revivers = columnTypes(selection).map((type) => (type?.sqlType === "jsonb" ? undefined : type?.fromJson))
  const read: RelatedList["read"] = (json, lists) => readRow(revive(Object.values(json), revivers), lists)
  // The cast is safe: the statement aggregates the related rows into a JSON array in this column.
  return (row) => ({ records: [], rows: row[at] as readonly object[], read })
}

type Revive = (value: unknown) => unknown

function revive(values: unknown[], revivers: readonly (Revive | undefined)[]): RowValues {
  for (const [index, reviveValue] of revivers.entries()) {
    const value = values[index]
    if (reviveValue && value !== null) values[index] = reviveValue(value)
  }
  return values
}

function widthOf({ toMany, selection }: HydratedRelation): number {
  if (toMany) return toMany.isCounted ? 2 : 1
  return widthOfSelection(selection)
}

function widthOfSelection({ fields, masked = [], relations, parts = [] }: Selection): number {
  return relations.reduce((width, relation) => width + widthOf(relation), fields.length + masked.length + parts.length)
}

/**
 * Returns, by JSON path, the types of the values that plain JSON cannot represent. The types are derived from the
 * schema, without a walk over the data.
 */
export function extendedMeta(selection: Selection, prefix: string): ExtendedMeta {
  const byPrefix = metas.get(selection) ?? new Map<string, ExtendedMeta>()
  metas.set(selection, byPrefix)
  const known = byPrefix.get(prefix)
  if (known) return known
  const meta: Record<string, ExtendedType> = {}
  collectMeta(selection, prefix, meta)
  byPrefix.set(prefix, Object.freeze(meta))
  return meta
}

// The type information of each selection, by path prefix. A selection serves many requests, so its type information is
// created and serialized only once.
const metas = new WeakMap<Selection, Map<string, ExtendedMeta>>()

function collectMeta(selection: Selection, prefix: string, meta: Record<string, ExtendedType>): void {
  const hydrated = new Set(selection.relations.map((relation) => relation.field.name))
  const inputs = selection.computed?.inputs
  for (const field of selection.fields) {
    if (!hydrated.has(field.name) && !inputs?.includes(field)) addMeta(field, prefix, meta)
  }
  for (const { field, toMany, selection: inner } of selection.relations) {
    collectMeta(inner, `${prefix}${field.name}.${toMany ? "*." : ""}`, meta)
  }
}

function addMeta({ name, type }: ResourceField, prefix: string, meta: Record<string, ExtendedType>): void {
  if (type.extended) meta[prefix + name] = type.extended
  for (const [path, part] of Object.entries(type.extendedParts ?? {})) meta[`${prefix}${name}.${path}`] = part
}

const unlisted = new WeakMap<Selection, boolean>()

/** True if records of the selection may have values that plain JSON cannot represent and that `extendedMeta` lacks. */
export function hasUnlistedParts(selection: Selection): boolean {
  const known = unlisted.get(selection)
  if (known !== undefined) return known
  const { fields, relations, parts = [] } = selection
  // Which records a value has depends on the ids in it.
  const hasOwn = parts.length > 0 || fields.some(({ type }) => type.hasUnlistedParts)
  const has = hasOwn || relations.some((relation) => hasUnlistedParts(relation.selection))
  unlisted.set(selection, has)
  return has
}
