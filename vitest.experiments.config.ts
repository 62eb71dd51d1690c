import { defineConfig } from "vitest/config"
import base, { EXPERIMENTS } from "./vitest.config.ts"

// The promises and the long experiments in a short, seeded form: crashes, silence, full disks, deployments, two worlds.
export default defineConfig({
  ...base,
  test: { ...base.test, exclude: [], include: EXPERIMENTS },
})
