import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// What installs or builds something large; run by hand.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/long/*.long.ts"] },
})
