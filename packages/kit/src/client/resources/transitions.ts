import type { GlobalOperations } from "../../wire/results/operations.ts"
import type { Call } from "../transport/call.ts"

// The request that reads a record's pending transition. The response is null if no transition is pending.
export const FIND_TRANSITION: Call = {
  method: "GET",
  path: "/transition",
  accepts: (value) => typeof value === "object",
}

export const CANCEL_TRANSITION: Call = { method: "DELETE", path: "/transition" }

type Transition = Parameters<GlobalOperations["transitionStage"]>[0]

/**
 * Returns the request that starts a transition. A Date is sent as an ISO string, even if the rest of the body is
 * extended JSON.
 */
export function transitionCall(transition: Transition): Call {
  const { scheduledAt } = transition
  const body = scheduledAt instanceof Date ? { ...transition, scheduledAt: scheduledAt.toISOString() } : transition
  return { method: "POST", path: "/transition", body }
}
