import type { DocumentCodec } from "../../ports/document-codec.ts"
import type { NewUpdate } from "../../sql/documents/append-updates.ts"
import type { DocumentClient, DocumentClients } from "../../sql/documents/document-clients.ts"
import type { ApiError } from "../../wire/errors/api-error.ts"
import { type CheckedUpdate, type Fit, fitUpdate, type KnownClients } from "./fit-update.ts"

/** The parts of a group of updates that are to be stored, and the outcome of each update. */
export interface FittingGroup {
  readonly updates: readonly NewUpdate[]
  /** The clients that the updates change. */
  readonly changed: DocumentClients
  /** In the order of the group. */
  readonly settlements: readonly Settlement[]
  readonly hasRefused: boolean
}

type Settlement =
  /** `place` is the number of updates of the group that are stored up to this one. */
  | { readonly kind: "fits"; readonly place: number; readonly stored: Uint8Array | undefined }
  | { readonly kind: "refused"; readonly error: ApiError }

type FitCodec = Pick<DocumentCodec, "cut" | "stateVectorOf">

/** Fits updates to the clients of a document, each after those before it. */
export async function fitAll(
  codec: FitCodec,
  clients: DocumentClients,
  group: readonly CheckedUpdate[],
): Promise<FittingGroup> {
  const changed = new Map<number, DocumentClient>()
  const updates: NewUpdate[] = []
  const settlements: Settlement[] = []
  for (const checked of group) {
    const fit = fitUpdate(codec, overlaid(clients, changed), checked)
    if (fit.kind === "refused") {
      settlements.push(fit)
      continue
    }
    const stored = await storedPart(codec, checked, fit)
    if (fit.kind === "new") setAll(changed, fit.clients)
    if (stored) updates.push({ update: stored, userId: checked.userId })
    settlements.push({ kind: "fits", place: updates.length, stored })
  }
  return { updates, changed, settlements, hasRefused: settlements.some(({ kind }) => kind === "refused") }
}

async function storedPart(codec: FitCodec, { update }: CheckedUpdate, fit: Fit): Promise<Uint8Array | undefined> {
  if (fit.kind !== "new") return undefined
  return fit.known === undefined ? update : await codec.cut(update, fit.known)
}

function setAll<Value>(map: Map<number, Value>, others: ReadonlyMap<number, Value>): void {
  for (const [key, value] of others) map.set(key, value)
}

// Only what is looked up is compared, so that a document with many clients is not copied for each group.
function overlaid(clients: DocumentClients, changed: DocumentClients): KnownClients {
  return {
    get: (client) => changed.get(client) ?? clients.get(client),
    [Symbol.iterator]: () => new Map([...clients, ...changed])[Symbol.iterator](),
  }
}
