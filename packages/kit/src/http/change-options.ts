import { requireInitialStage } from "../engine/access/stage.ts"
import { checkOptions, type UncheckedOptions } from "../engine/context/read-options.ts"
import { readDryRun } from "../engine/operations/writes/dry-run.ts"
import { type ExpectedRevision, parseExpectedRevision, parseIfMatch } from "../engine/read/revision.ts"
import type { Resource } from "../schema/compile/resource.ts"
import { invalid } from "../wire/errors/api-error.ts"
import type { EndpointCall } from "./endpoint.ts"

/** The options of a change to one record. */
interface ChangeOptions {
  readonly expected: ExpectedRevision | undefined
  /** The stage whose copy of the record is changed, as the caller names it. */
  readonly stage: unknown
}

/** The options of an update, which can be a dry run. */
interface UpdateOptions extends ChangeOptions {
  readonly isDryRun: boolean
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

/** Like `readChangeOptions`, for an update of one record. */
export function readUpdateOptions(call: EndpointCall, resource: Resource): UpdateOptions {
  const given = call.options()
  checkOptions(call.ctx, "update", given)
  return { expected: readExpected(call, resource), stage: given.options["stage"], isDryRun: readDryRun(given) }
}

/** Like `readUpdateOptions`, for an update of a global. Its options may also request a selection for the response. */
export function readGlobalUpdateOptions(
  call: EndpointCall,
  resource: Resource,
): UpdateOptions & { readonly given: UncheckedOptions } {
  const given = call.options()
  checkOptions(call.ctx, "globalUpdate", given)
  const { stage } = given.options
  return { expected: readExpected(call, resource), stage, isDryRun: readDryRun(given), given }
}

/** Like `readChangeOptions`, for a change that always applies to a record in all its stages. */
export function readWholeChangeOptions(call: EndpointCall, resource: Resource): Pick<ChangeOptions, "expected"> {
  const { expected, stage } = readChangeOptions(call, resource)
  requireInitialStage(resource, stage)
  return { expected }
}

/** Checks the options of a request that writes no revision, and that always applies to a record in all its stages. */
export function checkWholeWrite(call: EndpointCall, resource: Resource): void {
  const given = call.options()
  checkOptions(call.ctx, "write", given)
  requireInitialStage(resource, given.options["stage"])
}

function readExpected(call: EndpointCall, resource: Resource): ExpectedRevision | undefined {
  const given = call.options()
  const byOption = parseExpectedRevision(resource, given.options["expectedRevision"])
  const byHeader = parseIfMatch(resource, call.header("if-match"))
  if (byOption && byHeader) throw invalid("expectedRevision", "Give expectedRevision or If-Match, not both.")
  return byOption ?? byHeader
}
