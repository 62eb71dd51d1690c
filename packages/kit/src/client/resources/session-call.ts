import type { CallOptions } from "../../wire/options/call-options.ts"
import type { Call } from "../transport/call.ts"

/** Returns the call that reads the session of the client's user. The response is null if nobody is signed in. */
export function sessionCall(options: CallOptions | undefined): Call {
  return { method: "GET", path: "/auth/get-session", accepts: (value) => typeof value === "object", options }
}
