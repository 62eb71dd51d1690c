import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The promises and the long experiments in a short, seeded form: crashes, silence, full disks, deployments, two worlds. They put
// the machine under load and wait for most of their time.
export default defineConfig({
  ...base,
  test: { ...base.test, exclude: [], include: ["test/experiments/*.test.ts"] },
})
