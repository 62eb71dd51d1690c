import { requireRule } from "../engine/access/authorize.ts"
import { requireInitialStage, writtenStage } from "../engine/access/stage.ts"
import { type Members, readMembers } from "../engine/context/read-members.ts"
import { checkOptions, type UncheckedOptions } from "../engine/context/read-options.ts"
import { readDryRun } from "../engine/operations/writes/dry-run.ts"
import { type ExpectedRevision, parseExpectedRevision, parseIfMatch } from "../engine/read/revision.ts"
import type { AccessOperation } from "../schema/access/access.ts"
import type { Resource } from "../schema/compile/resource.ts"
import { invalid } from "../wire/errors/api-error.ts"
import type { EndpointCall } from "./endpoint.ts"

/** The options of a change to one record. */
interface ChangeOptions extends ExpectedOptions {
  /** The stage whose copy of the record is changed, as the caller names it. */
  readonly stage: unknown
}

interface ExpectedOptions {
  readonly expected: ExpectedRevision | undefined
}

/** The options of an update, which can be a dry run, and which can request a selection for the response. */
interface UpdateOptions extends ChangeOptions {
  readonly isDryRun: boolean
  readonly given: UncheckedOptions
}

/**
 * Reads the options of a change to one record. The revision that the caller expects the record to have comes from an
 * option or the `If-Match` header. Throws if the request has options that a change does not accept.
 */
export function readChangeOptions(call: EndpointCall, resource: Resource): ChangeOptions {
  const given = call.options()
  checkOptions(call.ctx, "change", given)
  return { expected: readExpected(call, resource), stage: given.options["stage"] }
}

/** Like `readChangeOptions`, for an update of one record or global. */
export function readUpdateOptions(call: EndpointCall, resource: Resource): UpdateOptions {
  const given = call.options()
  checkOptions(call.ctx, "update", given)
  const { stage } = given.options
  return { expected: readExpected(call, resource), stage, isDryRun: readDryRun(given), given }
}

/** Like `readChangeOptions`, for a change that always applies to a record in all its stages. */
export function readWholeChangeOptions(call: EndpointCall, resource: Resource): ExpectedOptions {
  const { expected, stage } = readChangeOptions(call, resource)
  requireInitialStage(resource, stage)
  return { expected }
}

/**
 * Returns the operation that a delete needs a right to. To withdraw records from a stage needs the right to transition
 * them, and not the right to delete them.
 */
export function deleteOperation(resource: Resource, stage: unknown): "transition" | "delete" {
  return writtenStage(resource, stage) === undefined ? "delete" : "transition"
}

/** Checks the options of a request that writes no revision, and that always applies to a record in all its stages. */
export function checkWholeWrite(call: EndpointCall, resource: Resource): void {
  const given = call.options()
  checkOptions(call.ctx, "write", given)
  requireInitialStage(resource, given.options["stage"])
}

/** A change whose body may name the expected revision, too. */
interface ChangeWithBody<Options extends ExpectedOptions> {
  readonly resource: Resource
  /** The operation that the caller must have a right to, before the body is read. */
  readonly operation: AccessOperation
  /** The options outside of the body. */
  readonly options: Options
  /** The members that the body has besides the revision. */
  readonly members?: readonly string[]
}

/** The options of a change, with the members of its body. */
type ReadChange<Options> = Options & { readonly input: Members }

/**
 * Reads the body of a change, in which the caller may name the expected revision as well as in the query string. Throws
 * if the body has members that the change does not take. A body without members may be left out.
 */
export async function readChangeBody<Options extends ExpectedOptions>(
  call: EndpointCall,
  { resource, operation, options, members = [] }: ChangeWithBody<Options>,
): Promise<ReadChange<Options>> {
  const isNeeded = members.length > 0
  if (!isNeeded && !call.incoming.hasBody) return { ...options, input: {} }
  requireRule(call.ctx, resource, operation)
  const body = isNeeded ? await call.body() : await call.optionalBody()
  const { expectedRevision, ...input } = readMembers(body === undefined ? {} : body, [...members, "expectedRevision"])
  if (expectedRevision === undefined) return { ...options, input }
  // `parseExpectedRevision` also accepts strings, for query strings. In a JSON body, a revision must be a number.
  if (typeof expectedRevision === "string") throw invalid("expectedRevision", "Expected a number.")
  return { ...options, input, expected: readExpected(call, resource, expectedRevision) }
}

function readExpected(call: EndpointCall, resource: Resource, inBody?: unknown): ExpectedRevision | undefined {
  const given = call.options()
  const byOption = parseExpectedRevision(resource, given.options["expectedRevision"], inBody)
  const byHeader = parseIfMatch(resource, call.header("if-match"))
  if (byOption && byHeader) throw invalid("expectedRevision", "Give expectedRevision or If-Match, not both.")
  return byOption ?? byHeader
}
