import { plainAnswer } from "../../../engine/read/answer.ts"
import type { DocumentCalls, SendRequest } from "../../../features/realtime/documents/document-calls.ts"
import { MAX_FRAMES_BYTES } from "../../../features/realtime/documents/sent-frames.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RichTextVocabulary } from "../../../wire/results/rich-text.ts"
import type { Endpoint, EndpointAnswer, EndpointCall } from "../../endpoint.ts"
import { readQuery } from "../../input-members.ts"
import { CallerLimit } from "../../protection/caller-limit.ts"
import type { CallerAddresses } from "../../protection/client-address.ts"

interface DocumentDependencies extends Pick<CallerAddresses, "countedAddressOf"> {
  readonly documents: DocumentCalls
}

// The rate limit for sending updates, per user or, if the caller is not signed in, per IP address. A client sends what
// its user types in some twenty requests per second at most.
const SENDS = { requests: 50, windowSeconds: 1 }
const OPTIONS = ["locale", "epoch", "stream", "nodes", "marks"]

/**
 * Returns the endpoints with which clients send updates of collaborative documents. Clients receive the updates of
 * others on the same streams as live queries.
 */
export function documentEndpoints(dependencies: DocumentDependencies): readonly Endpoint[] {
  const sends = new CallerLimit(SENDS, dependencies)
  const run = async (call: EndpointCall): Promise<EndpointAnswer> => {
    sends.count(call)
    const request = readRequest(call)
    const body = await call.binaryBody(MAX_FRAMES_BYTES)
    return plainAnswer(await dependencies.documents.send(call.callerCtx, request, body))
  }
  return [
    { method: "POST", path: "/crdt/:collection/:id/:field/updates", takesBody: true, run },
    { method: "POST", path: "/crdt/globals/:name/:field/updates", takesBody: true, run },
  ]
}

function readRequest(call: EndpointCall): SendRequest {
  const { collection, name = "", id, field = "" } = call.params
  const options = readQuery(call, OPTIONS)
  const text = (option: string) => readText(option, options[option])
  const named =
    collection === undefined
      ? ({ resourceType: "global", resource: name, recordId: undefined } as const)
      : ({ resourceType: "collection", resource: collection, recordId: id } as const)
  const declared = declaredNames(text("nodes"), text("marks"))
  return { ...named, field, locale: text("locale"), epoch: text("epoch"), stream: text("stream"), declared }
}

// The names that the editor knows, each list as one text with commas.
function declaredNames(nodes: string | undefined, marks: string | undefined): RichTextVocabulary | undefined {
  if (nodes === undefined && marks === undefined) return undefined
  return { nodes: nodes?.split(",") ?? [], marks: marks?.split(",") ?? [] }
}

function readText(option: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value
  throw invalid(option, "Expected a text.")
}
