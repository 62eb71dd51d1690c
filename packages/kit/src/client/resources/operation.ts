import type { CollectionOperations } from "../../wire/results/operations.ts"
import type { TrailingOptions } from "../transport/caller.ts"

/** What an operation of a collection takes and answers, with the last argument that it has in a client. */
export type ClientOperation<Name extends keyof CollectionOperations> = (
  input: Parameters<CollectionOperations[Name]>[0],
  options?: TrailingOptions,
) => ReturnType<CollectionOperations[Name]>
