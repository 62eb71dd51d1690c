import { defineConfig } from "kit"

// Everything that an attack meets is at its default; files go where the experiment is cleaned up.
export default defineConfig({
  app: { name: "fair" },
  auth: { signUp: true },
  storage: { folder: process.env["FAIR_FILES"] ?? ".kit/files" },
})
