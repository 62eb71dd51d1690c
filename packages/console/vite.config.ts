import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig } from "vite"
import { bootOfDevelopment } from "./dev-boot.ts"
import { iconsByLetter } from "./icons-plugin.ts"
import { announcerWithoutMarkup, directionByList, onlySpokenLanguages } from "./react-aria.ts"

// `kit dev` of an app, for the development server of the console: `npm run dev -w kit-console`.
const API = process.env["KIT_CONSOLE_API"] ?? "http://localhost:3000"

// The sign-in is one file, and what the first list needs besides is another one. Otherwise each set of modules that other
// screens use, too, is a file of its own: the first list would need 40 requests. Every page opens a stream, and the first
// one signs in.
const FEW_FILES = [
  {
    name: "start",
    test: /\/console\/src\/main\.tsx$|\/client\/live\/multiplexer\.ts$|\/client\/resources\/auth\.ts$/,
    priority: 2,
  },
  { name: "desk", test: /\/console\/src\/desk\.tsx$/, priority: 1 },
]

// `scripts/console/console-package.mjs` adds the settings on which kit's server relies.
export default defineConfig({
  base: "./",
  plugins: [
    react(),
    iconsByLetter(),
    bootOfDevelopment(API),
    onlySpokenLanguages(["en-US", "sk-SK"]),
    announcerWithoutMarkup(),
    directionByList(),
  ],
  resolve: { conditions: ["kit-source", ...defaultClientConditions] },
  build: {
    rolldownOptions: {
      // Otherwise a module that is imported later, and is in one of these files, has another file that only has its name.
      preserveEntrySignatures: "allow-extension",
      output: {
        // kit recognizes hexadecimal hashes in names, and has browsers keep such files.
        hashCharacters: "hex",
        codeSplitting: { groups: FEW_FILES },
      },
    },
  },
  server: { proxy: { "/api": API } },
})
