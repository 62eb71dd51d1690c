import { QuestpieClientError } from "../../src/client.ts"

/** The error of the client that the operation ends with. */
export async function errorOf(operation: Promise<unknown> | undefined): Promise<QuestpieClientError> {
  const outcome = await operation?.then(
    () => "success",
    (error: unknown) => error,
  )
  if (outcome instanceof QuestpieClientError) return outcome
  throw new Error(`Expected an error of the client, got ${outcome}.`)
}
