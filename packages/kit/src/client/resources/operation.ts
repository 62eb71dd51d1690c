import type { CollectionOperations } from "../../wire/results/operations.ts"
import type { TrailingOptions } from "../transport/call-sender.ts"

/** The signature of a collection operation in a client, with its additional last argument. */
export type ClientOperation<Name extends keyof CollectionOperations> = (
  input: Parameters<CollectionOperations[Name]>[0],
  options?: TrailingOptions,
) => ReturnType<CollectionOperations[Name]>
