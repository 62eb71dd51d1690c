import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The client in a real browser, which `npm test` does not ask for.
export default defineConfig({ ...base, test: { ...base.test, include: ["test/browser/*.browser.ts"] } })
