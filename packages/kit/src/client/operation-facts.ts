import type { ClientParts } from "./client-parts.ts"

/**
 * The key of the member that makes a function of the client an operation. A registered symbol is the same in every copy
 * of this package that a page loads.
 */
export const OPERATION: unique symbol = Symbol.for("kit.operation")

/** The facts of an operation at run time, which `kit/react-reads` reads. */
export interface OperationFacts {
  readonly parts: ClientParts
  /** Identifies the operation among those of a client, such as `collection articles schema`. */
  readonly name: string
}

/** Adds to each of these operations its facts, and returns the operations. `owner` is the first part of their names. */
export function withOperationFacts<Operations extends object>(
  operations: Operations,
  owner: string,
  parts: ClientParts,
): Operations {
  for (const [name, operation] of Object.entries(operations)) {
    // Refused without an error for an operation that has two names. The facts are not enumerable, so that printing an
    // operation does not print the parts of the client.
    Reflect.defineProperty(operation, OPERATION, { value: { parts, name: `${owner} ${name}` } })
  }
  return operations
}
