import type { Resource } from "../../schema/compile/resource.ts"
import { type Access, both, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { byId } from "./by-id.ts"

/** The revision that a caller expects the record to have. */
export interface ExpectedRevision {
  readonly revision: number
  /**
   * The error code if the record has another revision: PRECONDITION_FAILED if a header named the expected revision,
   * CONFLICT if an option did.
   */
  readonly errorCode: "CONFLICT" | "PRECONDITION_FAILED"
}

/** A record that an operation addresses, as the caller names it. */
export interface AddressedRecord {
  readonly id: unknown
  readonly expected?: ExpectedRevision | undefined
}

const DIGITS = /^[1-9]\d{0,9}$/
const REVISION_MAX = 2_147_483_647

/**
 * Parses the option `expectedRevision`. A malformed value is an error, and is never treated as absent. The caller may
 * have given the option in two places, which must then agree.
 */
export function parseExpectedRevision(
  resource: Resource,
  given: unknown,
  elsewhere?: unknown,
): ExpectedRevision | undefined {
  if (given === undefined) return elsewhere === undefined ? undefined : parseExpectedRevision(resource, elsewhere)
  const revision = parseRevision(resource, given, "expectedRevision")
  const other = elsewhere === undefined ? revision : parseRevision(resource, elsewhere, "expectedRevision")
  if (other !== revision) throw invalid("expectedRevision", `Given twice, as ${revision} and ${other}. Give it once.`)
  return { revision, errorCode: "CONFLICT" }
}

/** Parses an `If-Match` header, which is a revision in quotes or `*`. `*` matches every record. */
export function parseIfMatch(resource: Resource, header: string | null): ExpectedRevision | undefined {
  if (header === null || header.trim() === "*") return undefined
  const quoted = /^"([^"]*)"$/.exec(header.trim())?.[1]
  return { revision: parseRevision(resource, quoted, "If-Match"), errorCode: "PRECONDITION_FAILED" }
}

function parseRevision(resource: Resource, given: unknown, path: string): number {
  if (!resource.revision) throw invalid(path, `"${resource.name}" keeps no revision.`)
  const number = typeof given === "string" && DIGITS.test(given) ? Number(given) : given
  const isRevision = typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= REVISION_MAX
  if (!isRevision) throw invalid(path, "Expected a revision: a whole number from 1.")
  return number
}

/** The record whose revision is checked, and the revision that the caller expects. */
export interface RevisionCheck {
  readonly resource: Resource
  readonly id: string
  readonly expected?: ExpectedRevision | undefined
}

/** Throws if the locked row does not have the expected revision, or if the row's revision is hidden from the caller. */
export async function checkRevision(
  ctx: OperationContext,
  { resource, id, expected }: RevisionCheck,
  { read }: { readonly read: Access },
): Promise<void> {
  if (expected === undefined || !resource.revision) return
  // Reads the revision only if the caller may see the draft. A hidden draft's revision would leak how often the draft
  // changed, and so would a correct guess of that revision.
  const shown = await revisionOf(ctx, resource, both(byId(resource, id), predicateOf(read)))
  if (shown === expected.revision) return
  throw staleRevision(expected, read.kind === "allow" ? (shown ?? 0) : shown)
}

async function revisionOf(
  ctx: OperationContext,
  resource: Resource,
  predicate: Predicate,
): Promise<number | undefined> {
  const selection = { resource, fields: resource.revision ? [resource.revision] : [], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, predicate))
  return rows[0] && Number(rows[0][0])
}

function staleRevision({ revision: expected, errorCode }: ExpectedRevision, actual: number | undefined): ApiError {
  return new ApiError(errorCode, {
    message: "The record has changed in the meantime.",
    context: { revision: { expected, ...(actual !== undefined && { actual }) } },
  })
}

/** Adds the revision to the selection, for a response that has the revision in a header. */
export function withRevision(selection: Selection): Selection {
  const { fields, computed, resource } = selection
  const { revision } = resource
  if (revision === undefined) return selection
  if (!fields.includes(revision)) return { ...selection, fields: [...fields, revision] }
  if (!computed?.inputs.includes(revision)) return selection
  // A field that is only an input of computed fields is removed from the record, so the revision must not count as such
  // an input.
  return { ...selection, computed: { ...computed, inputs: computed.inputs.filter((field) => field !== revision) } }
}

export function withoutRevision({ revision: _revision, ...record }: RecordData): RecordData {
  return record
}

/** Returns the response header with the revision of a record. */
export function revisionHeader({ revision }: Resource, record: RecordData): { headers?: Record<string, string> } {
  return revision && record[revision.name] !== undefined
    ? { headers: { "x-revision": String(record[revision.name]) } }
    : {}
}
