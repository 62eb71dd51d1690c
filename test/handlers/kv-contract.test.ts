// @module-tag not-about-shortcuts

import { describeKeyValues } from "../support/oracles/kv-contract.ts"
import { testApp } from "../support/worlds/test-app.ts"

const HOUR_MS = 60 * 60 * 1000

describeKeyValues("values in the app's own database", async () => {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const app = await testApp({ resources: [], now })
  return {
    app: app.app,
    passAnHour: () => {
      ahead += HOUR_MS
      return Promise.resolve()
    },
    remainingMs: async (key) => {
      const [row] = await app.database.query("select expires_at from _kit_kv where key = $1", [key])
      const end = row?.["expires_at"]
      return end instanceof Date ? end.getTime() - now().getTime() : null
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
})
