import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  build: {
    // kit recognizes hexadecimal hashes in names, and has browsers keep such files.
    rolldownOptions: { output: { hashCharacters: "hex" } },
  },
  server: {
    // With `npx vite web`, pages are compiled as they change, and the API of `kit dev` stays where it is.
    proxy: { "/api": "http://localhost:3000" },
  },
})
