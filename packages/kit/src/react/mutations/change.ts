import type { ResultFacts } from "../store/layer.ts"
import { insertRecord } from "./insert-record.ts"
import { changeRecords, isRecord, mapped, type RecordFields } from "./result-records.ts"

/** The copies of a record that a change concerns: those in one stage and in one locale. */
export interface ChangeScope {
  readonly stage?: string | undefined
  readonly locale?: string | undefined
}

/** One optimistic change of a record of a collection, or of a global. */
export type Change = Patch | SetFields | Insert | Remove

interface Patch {
  readonly kind: "patch"
  readonly resource: string
  readonly scope: ChangeScope
  readonly id: string
  readonly data: RecordFields
}

interface SetFields {
  readonly kind: "set"
  readonly resource: string
  readonly scope: ChangeScope
  readonly data: RecordFields
}

export interface Insert {
  readonly kind: "insert"
  readonly resource: string
  readonly scope: ChangeScope
  /** The fields of the record, with an `id`. */
  readonly data: RecordFields
  /** True if the id is not the one that the server gives to the record. */
  readonly isTemporary: boolean
}

interface Remove {
  readonly kind: "remove"
  readonly resource: string
  readonly id: string
}

/**
 * Returns the result with the change, or the same value if the change does not concern the result. What only the server
 * knows stays as it is: numbers of records, the order of existing records, and whether a record still matches a filter.
 */
export function applyChange(change: Change, result: ResultFacts, data: unknown): unknown {
  if (change.resource !== result.resource || (result.kind === "global") !== (change.kind === "set")) return data
  switch (change.kind) {
    case "patch":
      return withFieldsOf(change, result, data)
    case "set":
      return withFieldsOf(change, result, data)
    case "insert":
      return isInScope(change.scope, result) ? insertRecord(change.data, result, data) : data
    case "remove":
      return changeRecords(result, data, (records) => without(records, change.id))
    default:
      return change satisfies never
  }
}

function withFieldsOf(change: Patch | SetFields, result: ResultFacts, data: unknown): unknown {
  if (!isInScope(change.scope, result)) return data
  const isMeant = (record: RecordFields) => change.kind === "set" || record["id"] === change.id
  return changeRecords(result, data, (records) =>
    mapped(records, (record) => (isMeant(record) ? withFields(record, change.data, result) : record)),
  )
}

function without(records: readonly RecordFields[], id: string): readonly RecordFields[] {
  return records.some((record) => record["id"] === id) ? records.filter((record) => record["id"] !== id) : records
}

function isInScope({ stage, locale }: ChangeScope, result: ResultFacts): boolean {
  const shown: ChangeScope = result.options
  return shown.stage === stage && (shown.locale ?? result.locale) === locale
}

// Changes only the fields that the record has: the others are not selected by the read, or hidden from the reader.
function withFields(record: RecordFields, data: RecordFields, { options }: ResultFacts): RecordFields {
  const { with: relations = {} }: { with?: object } = options
  const changes = Object.entries(data)
    .filter(([name]) => Object.hasOwn(record, name))
    .filter(([name, value]) => !Object.hasOwn(relations, name) || isRelated(value))
    .map(([name, value]) => [name, shownValue(record[name], value)] as const)
    .filter(([name, value]) => value !== record[name])
  return changes.length === 0 ? record : { ...record, ...Object.fromEntries(changes) }
}

// True if the value is what a relation shows: null, a record, or a list of records. Writes also take ids and operations.
function isRelated(value: unknown): boolean {
  return [value].flat().every((item) => item === null || (isRecord(item) && typeof item["id"] === "string"))
}

/**
 * Returns the value that a record shows after a write of the given value, or the shown value if only the server knows.
 * A write accepts more than a record shows: the text of a date, or the id of a record that is shown as an object.
 */
function shownValue(shown: unknown, given: unknown): unknown {
  if (given === undefined) return shown
  if (given === null || shown === null || shown === undefined) return given
  if (shown instanceof Date) return dateOf(given) ?? shown
  if (typeof shown === "bigint" && Number.isSafeInteger(given)) return BigInt(Number(given))
  const isSameType = typeof shown === typeof given && Array.isArray(shown) === Array.isArray(given)
  return isSameType ? given : shown
}

function dateOf(given: unknown): Date | undefined {
  const date = new Date(given instanceof Date || typeof given === "string" ? given : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
