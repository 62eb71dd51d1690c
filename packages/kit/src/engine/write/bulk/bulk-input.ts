import type { Resource } from "../../../schema/compile/resource.ts"
import { ALWAYS, type Predicate } from "../../../sql/filter/predicate.ts"
import { parseWhere } from "../../../sql/parse/parse-where.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../../wire/options/query-options.ts"
import { inWrittenStage, type NamedWrittenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Members, readMembers } from "../../context/read-members.ts"
import { storedId } from "../../read/by-id.ts"
import { readingFor } from "../../read/reading-for.ts"
import { type ExpectedRevision, parseExpectedRevision } from "../../read/revision.ts"

/** The unchecked input of a bulk write. */
export interface BulkInput {
  readonly body: unknown
  /** The workflow stage whose copies of the records are written. Default: the working copies are written. */
  readonly stage?: unknown
}

/**
 * Parses the filter of a bulk write. It applies to the rows that the write changes: the working copies or, with a stage,
 * the copies in that stage. A filter that matches every row requires `all: true` next to it.
 */
export async function readBulkWhere(
  ctx: OperationContext,
  written: NamedWrittenStage,
  body: Members,
): Promise<Predicate> {
  const { where, all } = body
  if (all !== undefined && typeof all !== "boolean") throw invalid("all", "Expected true or false.")
  if (where === undefined && all === true) return ALWAYS
  if (where === undefined || where === null) throw invalid("where", 'Give a filter, or "all": true.')
  const filter = await inWrittenStage(ctx, written, { where })
  const reading = await readingFor(filter.ctx, filter.resource, { options: { where }, isText: false })
  const predicate = parseWhere(filter.resource, where, reading)
  if (all !== true && matchesAll(predicate))
    throw invalid("where", 'The filter matches everything. Say so with "all": true.')
  return predicate
}

// True if the filter matches every possible row. A filter that only happens to match all existing rows does not count,
// for example a filter for a word that every title contains.
function matchesAll(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "all":
      return predicate.parts.every(matchesAll)
    case "any":
      return predicate.parts.some(matchesAll)
    case "not":
      return matchesNone(predicate.part)
    case "compare":
      return predicate.operator.name === "notIn" && isEmptyList(predicate.operand)
    default:
      return false
  }
}

function matchesNone(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "all":
      return predicate.parts.some(matchesNone)
    case "any":
      return predicate.parts.every(matchesNone)
    case "not":
      return matchesAll(predicate.part)
    case "compare":
      return predicate.operator.name === "in" && isEmptyList(predicate.operand)
    case "text":
      return false
    default:
      return matchesNone(predicate.part)
  }
}

function isEmptyList(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length === 0
}

/** One update in the list of a batch update. */
export interface BatchUpdate {
  readonly id: unknown
  readonly data: unknown
  readonly expected: ExpectedRevision | undefined
  /** The JSON path of this update's data in the request body. */
  readonly path: string
}

export function readBatch(resource: Resource, body: unknown): readonly BatchUpdate[] {
  const { updates } = readMembers(body, ["updates"])
  if (!Array.isArray(updates)) throw invalid("updates", "Expected a list of { id, data }.")
  if (updates.length > QUERY_LIMITS.maxBulkRows) throw invalid("updates", tooMany())
  const seen = new Set<string>()
  return updates.map((update: unknown, index) => {
    const path = `updates.${index}`
    const { id, data, expectedRevision } = readMembers(update, ["id", "data", "expectedRevision"], path)
    if (typeof id !== "string") throw invalid(`${path}.id`, "Expected the id of a record.")
    const stored = storedId(resource, id) ?? id
    if (seen.has(stored)) throw invalid(`${path}.id`, "This record is in the list already.")
    seen.add(stored)
    // `parseExpectedRevision` also accepts strings, for query strings. In a JSON body, a revision must be a number.
    if (typeof expectedRevision === "string") throw invalid(`${path}.expectedRevision`, "Expected a number.")
    return { id, data, expected: parseExpectedRevision(resource, expectedRevision), path: `${path}.data` }
  })
}

export function tooMany(): string {
  return `At most ${QUERY_LIMITS.maxBulkRows} records can be written in one request.`
}
