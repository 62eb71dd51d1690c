import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The tests that need a redis-server, which `npm test` does not ask for.
export default defineConfig({ ...base, test: { ...base.test, include: ["test/redis/*.redis.ts"] } })
