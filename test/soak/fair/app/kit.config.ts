import { defineConfig } from "kit"

// Everything that an attack touches has its default. Files go into a folder that the experiment cleans up.
export default defineConfig({
  app: { name: "fair" },
  auth: { signUp: true },
  storage: { folder: process.env["FAIR_FILES"] ?? ".kit/files" },
})
