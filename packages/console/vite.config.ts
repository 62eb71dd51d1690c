import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig } from "vite"
import { bootOfDevelopment } from "./dev-boot.ts"
import { iconsByLetter } from "./icons-plugin.ts"
import { announcerWithoutMarkup, onlySpokenLanguages } from "./react-aria.ts"

// `kit dev` of an app, for the development server of the console: `npm run dev -w kit-console`.
const API = process.env["KIT_CONSOLE_API"] ?? "http://localhost:3000"

// `scripts/console/console-package.mjs` adds the settings on which kit's server relies.
export default defineConfig({
  base: "./",
  plugins: [
    react(),
    iconsByLetter(),
    bootOfDevelopment(API),
    onlySpokenLanguages(["en-US", "sk-SK"]),
    announcerWithoutMarkup(),
  ],
  resolve: { conditions: ["kit-source", ...defaultClientConditions] },
  build: {
    // kit recognizes hexadecimal hashes in names, and has browsers keep such files.
    rolldownOptions: { output: { hashCharacters: "hex" } },
  },
  server: { proxy: { "/api": API } },
})
