import type { HandleKind } from "../../wire/realtime/handle.ts"

/** The facts by which a layer recognizes the results that it changes. */
export interface ResultFacts {
  readonly kind: HandleKind
  readonly resource: string
  /** The id of the record, if the result is one record. */
  readonly id?: string | undefined
  readonly options: object
}

/** An optimistic change, which is laid over the results that the server has sent until they contain the write. */
export interface Layer {
  /** The id that was sent with the write (`WRITE_HEADER`). The stream announces it in an `applied` event. */
  readonly write: string
  /** Returns the result with this change, or the same value if the change does not concern the result. */
  apply(result: ResultFacts, data: unknown): unknown
}

/** The layers of a client, in the order in which their writes began. */
export interface Layers {
  add(layer: Layer): void
  /** Called when the write has succeeded. The layer stays over each result until that result contains the write. */
  settle(layer: Layer): void
  /** Called when the write has failed. Removes the layer from all results. */
  drop(layer: Layer): void
}
