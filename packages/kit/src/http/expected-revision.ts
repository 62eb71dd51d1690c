import { checkOptions } from "../engine/context/read-options.ts"
import { type ExpectedRevision, parseExpectedRevision, parseIfMatch } from "../engine/read/revision.ts"
import type { Resource } from "../schema/compile/resource.ts"
import { invalid } from "../wire/errors/api-error.ts"
import type { EndpointCall } from "./endpoint.ts"

/**
 * Returns the revision that the caller expects the record to have, from an option or the `If-Match` header. Throws if
 * the request has options that a change does not accept.
 */
export function expectedRevisionOf(call: EndpointCall, resource: Resource): ExpectedRevision | undefined {
  checkOptions(call.ctx, "change", call.options())
  return readExpected(call, resource)
}

/** Like `expectedRevisionOf`, for an update. Also returns the stage whose copy of the record is to be updated. */
export function readUpdateOptions(call: EndpointCall, resource: Resource) {
  const given = call.options()
  checkOptions(call.ctx, "update", given)
  return { expected: readExpected(call, resource), stage: given.options["stage"] }
}

function readExpected(call: EndpointCall, resource: Resource): ExpectedRevision | undefined {
  const given = call.options()
  const byOption = parseExpectedRevision(resource, given.options["expectedRevision"])
  const byHeader = parseIfMatch(resource, call.header("if-match"))
  if (byOption && byHeader) throw invalid("expectedRevision", "Give expectedRevision or If-Match, not both.")
  return byOption ?? byHeader
}
