import { plainAnswer } from "../../engine/answer.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"

/** `health` says that the process answers, `ready` that its database does too. */
export const healthEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/health", run: answerHealth },
  { method: "GET", path: "/_kit/health", run: answerHealth },
  { method: "GET", path: "/_kit/ready", run: answerReady },
]

function answerHealth() {
  return Promise.resolve(plainAnswer({ status: "ok" }))
}

async function answerReady({ ctx }: EndpointCall) {
  await ctx.connection.query({ text: "select 1", values: [] })
  return plainAnswer({ status: "ready" })
}
