import type { Clocks, DocumentCodec, UpdateFacts } from "../../ports/document-codec.ts"
import type { DocumentClient, DocumentClients } from "../../sql/documents/document-clients.ts"
import { SERVER_OWNER } from "../../sql/documents/document-tables.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

/** An update of a user, and what its numbers say. */
export interface CheckedUpdate {
  readonly update: Uint8Array
  readonly facts: UpdateFacts
  readonly userId: string | null
}

/** How an update fits to the clients of a document. */
export type Fit =
  | {
      readonly kind: "new"
      /** The clients that the update changes. */
      readonly clients: DocumentClients
      /** The clocks up to which the update is cut off, because the document has that part; undefined if it has none. */
      readonly known: Clocks | undefined
    }
  /** The document has everything that the update has. */
  | { readonly kind: "known" }
  | { readonly kind: "refused"; readonly error: ApiError }

type FitCodec = Pick<DocumentCodec, "stateVectorOf">

/** The clients of a document, as they are looked up. */
export type KnownClients = Pick<DocumentClients, "get" | typeof Symbol.iterator>

/**
 * Compares the numbers of an update with those that a document has. Nothing is stored twice under one number, nothing
 * with a gap before it, nothing that refers to what is not there, and nothing under the numbers of another user: Yjs
 * relies on all of this without checking it.
 */
export function fitUpdate(codec: FitCodec, clients: KnownClients, { facts, userId }: CheckedUpdate): Fit {
  if (facts.isCircular) return refused(new ApiError("BAD_REQUEST", { message: "The update refers to itself." }))
  const after = new Map<number, DocumentClient>()
  const clockOf = (client: number) => (after.get(client) ?? clients.get(client))?.clock ?? 0
  for (const { client, from, to } of facts.ranges) {
    const clock = clockOf(client)
    if (from > clock) return refused(gap(codec, clients))
    if (to <= clock) continue
    const owner = clients.get(client)?.owner ?? null
    if (owner !== null && owner !== userId) return refused(foreign(client))
    after.set(client, { clock: to, owner: owner ?? userId })
  }
  for (const [client, clock] of [...facts.needs, ...facts.deletes]) {
    if (clock > clockOf(client)) return refused(gap(codec, clients))
  }
  if (after.size === 0 && facts.deletes.size === 0) return { kind: "known" }
  return { kind: "new", clients: after, known: knownPart(facts, clients) }
}

function knownPart({ ranges }: UpdateFacts, clients: KnownClients): Clocks | undefined {
  const known = ranges.flatMap(({ client, from }) => {
    const clock = clients.get(client)?.clock ?? 0
    return from < clock ? [[client, clock] as const] : []
  })
  return known.length === 0 ? undefined : new Map(known)
}

/** Returns the clients of an update that the server has made. Nobody may go on with their numbers. */
export async function clientsOfServer(
  codec: Pick<DocumentCodec, "factsOf">,
  update: Uint8Array,
): Promise<DocumentClients> {
  const { ranges } = await codec.factsOf(update)
  return new Map(ranges.map(({ client, to }) => [client, { clock: to, owner: SERVER_OWNER }]))
}

function refused(error: ApiError): Fit {
  return { kind: "refused", error }
}

function gap(codec: FitCodec, clients: KnownClients): ApiError {
  const clocks = new Map([...clients].map(([client, { clock }]) => [client, clock]))
  const stateVector = Buffer.from(codec.stateVectorOf(clocks)).toString("base64")
  const message = "The update relies on something that the document does not have. Send what is missing first."
  return new ApiError("CONFLICT", { message, context: { stateVector } })
}

function foreign(client: number): ApiError {
  const message = `The numbers of the Yjs client ${client} belong to another user. Open the document with another clientID.`
  return new ApiError("CONFLICT", { message, context: { client } })
}
