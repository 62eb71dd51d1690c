import { plainAnswer } from "../../engine/read/answer.ts"
import type { Endpoint } from "../endpoint.ts"

export interface HealthDependencies {
  /**
   * Throws if this process should get no requests now. Otherwise resolves to the problems that do not keep it from
   * serving requests.
   */
  checkReady(): Promise<readonly string[]>
}

/** Returns the health check endpoints. `health` says that the process is alive, `ready` that it can serve requests. */
export function healthEndpoints({ checkReady }: HealthDependencies): readonly Endpoint[] {
  return [
    { method: "GET", path: "/health", isProbe: true, run: answerHealth },
    { method: "GET", path: "/_kit/health", isProbe: true, run: answerHealth },
    {
      method: "GET",
      path: "/_kit/ready",
      isProbe: true,
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
