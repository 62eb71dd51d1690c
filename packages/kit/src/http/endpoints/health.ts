import { plainAnswer } from "../../engine/read/answer.ts"
import type { Endpoint } from "../endpoint.ts"

export interface HealthParts {
  /** Throws the reason why this process should get no requests now; resolves to what does not work though it is ready. */
  checkReady(): Promise<readonly string[]>
}

/** `health` says that the process answers, `ready` that it can serve requests. */
export function healthEndpoints({ checkReady }: HealthParts): readonly Endpoint[] {
  return [
    { method: "GET", path: "/health", run: answerHealth },
    { method: "GET", path: "/_kit/health", run: answerHealth },
    {
      method: "GET",
      path: "/_kit/ready",
      run: async () => {
        const problems = await checkReady()
        return plainAnswer(problems.length === 0 ? { status: "ready" } : { status: "degraded", problems })
      },
    },
  ]
}

function answerHealth() {
  return Promise.resolve(plainAnswer({ status: "ok" }))
}
