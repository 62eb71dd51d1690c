import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { iconsByLetter } from "./icons-plugin.ts"

// The app that serves the API while the console is developed: `kit dev` of an example.
const APP = "http://localhost:3000"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The same files are served below two addresses, so that they refer to each other by relative ones.
  base: "./",
  plugins: [react(), iconsByLetter(), bootOfRunningApp()],
  build: {
    outDir: fileURLToPath(new URL("dist", import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // Every browser that can run the console preloads modules by itself.
    modulePreload: { polyfill: false },
    // A file that is inlined as a data URL would be refused by the content security policy.
    assetsInlineLimit: 0,
    // kit recognizes hexadecimal hashes in names, and has browsers keep such files.
    rolldownOptions: { output: { hashCharacters: "hex" } },
  },
  server: { proxy: { "/api": APP } },
})

/** Puts the boot data of the running app into the page of the development server. */
function bootOfRunningApp(): Plugin {
  return {
    name: "boot-of-running-app",
    apply: "serve",
    async transformIndexHtml() {
      const page = await (await fetch(`${APP}/admin`)).text()
      const json = /<script type="application\/json" id="kit-boot">(.*?)<\/script>/s.exec(page)?.[1]
      if (json === undefined) throw new Error(`${APP}/admin has no boot data. Start an app there: kit dev`)
      const boot = JSON.stringify({ ...JSON.parse(json), consoleBase: "/" })
      return [{ tag: "script", attrs: { type: "application/json", id: "kit-boot" }, children: boot, injectTo: "head" }]
    },
  }
}
