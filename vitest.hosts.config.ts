import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The adapters in the real frameworks.
export default defineConfig({ ...base, test: { ...base.test, include: ["test/hosts/*.hosts.ts"] } })
