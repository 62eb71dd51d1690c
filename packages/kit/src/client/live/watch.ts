import { HANDLE } from "../../wire/realtime/handle.ts"
import type { Snapshots } from "../../wire/realtime/live-operations.ts"
import type { HandleFacts } from "../handle-facts.ts"
import { withOperationFacts } from "../operation-facts.ts"
import { type Iterate, type SubscriptionSettings, withoutHash } from "./realtime.ts"

/** The live queries of a handle without types. The `Client` interface adds the types. */
interface WatchOperations {
  watch(options: object | undefined, onSnapshot: (given: unknown) => void, settings?: SubscriptionSettings): () => void
  watchIter(options?: object, settings?: SubscriptionSettings): Snapshots<unknown>
}

/** Makes an object of the client a handle: adds the handle's facts, `watch` and `watchIter` to its members. */
export function makeHandle<Operations extends object>(
  operations: Operations,
  facts: HandleFacts,
  iterate: Iterate,
): Operations & WatchOperations {
  const { kind, resource, parts } = facts
  const { follow, topicOf } = parts
  const watched: WatchOperations = {
    watch: (options, onSnapshot, settings) =>
      follow({ ...settings, onSnapshot: withoutHash(onSnapshot), topic: topicOf(facts, options) }),
    watchIter: (options, settings) => iterate({ ...settings, topic: topicOf(facts, options) }),
  }
  // The facts are not enumerable, so that printing a handle does not print the parts of the client.
  const members = { ...withOperationFacts(operations, `${kind} ${resource}`, parts), ...watched }
  return Object.defineProperty(members, HANDLE, { value: facts })
}
