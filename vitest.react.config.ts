import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// The version of React in the workspace, unless KIT_REACT says 18.
const react18 = {
  react: folder("./test/react/react-18/node_modules/react"),
  "react-dom": folder("./test/react/react-18/node_modules/react-dom"),
}

/** The tests of `kit/react` and `kit/tanstack`, which run with React 18 and with React 19. */
export default defineConfig({
  ...base,
  resolve: { alias: process.env["KIT_REACT"] === "18" ? react18 : {} },
  test: {
    ...base.test,
    include: ["test/react/*.react.tsx"],
    isolate: true,
    // Its imports of React have to be replaced, too.
    server: { deps: { inline: [/@tanstack/] } },
  },
})
