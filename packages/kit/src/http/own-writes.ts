import { readDryRun } from "../engine/operations/writes/dry-run.ts"
import type { WriteMarks } from "../features/realtime/changes/write-marks.ts"
import { writerOf } from "../features/realtime/writer.ts"
import { ApiError } from "../wire/errors/api-error.ts"
import { WRITE_HEADER } from "../wire/options/client-headers.ts"
import type { Endpoint, EndpointAnswer, EndpointCall } from "./endpoint.ts"
import type { CallerAddresses } from "./protection/client-address.ts"

interface OwnWritesDependencies extends Pick<CallerAddresses, "countedAddressOf"> {
  readonly writeMarks: WriteMarks
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const FIRST_ERROR_STATUS = 400

/**
 * Returns the endpoints, of which those that write mark a write that the client has named, so that the client's streams
 * announce it. `isDryRun` is true for a call that was rolled back.
 */
export function markNamedWrites(
  endpoints: readonly Endpoint[],
  dependencies: OwnWritesDependencies,
  isDryRun: (call: EndpointCall) => boolean = () => false,
): readonly Endpoint[] {
  return endpoints.map((endpoint) => {
    if (endpoint.method === "GET" || endpoint.isRead) return endpoint
    const run = async (call: EndpointCall, given: string) => {
      const id = checkedId(given)
      const answer = await endpoint.run(call)
      if (isSuccess(answer) && !isDryRun(call)) await markWrite(dependencies, call, id)
      return answer
    }
    return {
      ...endpoint,
      run: (call) => {
        const given = call.header(WRITE_HEADER)
        return given === null ? endpoint.run(call) : run(call, given)
      },
    }
  })
}

/** True if the call of one of our own endpoints is a dry run. Endpoints without dry runs reject the option. */
export function isDryRunCall(call: EndpointCall): boolean {
  return readDryRun(call.options())
}

async function markWrite(dependencies: OwnWritesDependencies, call: EndpointCall, id: string): Promise<void> {
  const address = dependencies.countedAddressOf(call.incoming)
  const writer = writerOf({ session: call.callerCtx.session, address })
  if (writer !== undefined) await dependencies.writeMarks.append({ writer, id })
}

function checkedId(given: string): string {
  if (UUID.test(given)) return given
  throw new ApiError("BAD_REQUEST", {
    message: "The header X-Kit-Write must be a UUID that the client made for this write.",
  })
}

// A route of the author may return a response with an error status.
function isSuccess(answer: EndpointAnswer): boolean {
  return !("response" in answer) || answer.response.status < FIRST_ERROR_STATUS
}
