import { copyFile, cp, rm } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

// Runs before the package is packed: some templates are examples, new apps get the versions of the workspace, and the
// documentation is installed with the package.
const EXAMPLES = { react: "todo", newsroom: "newsroom" }
const SKIPPED = new Set(["node_modules", ".kit", "dist"])

for (const [name, example] of Object.entries(EXAMPLES)) {
  const source = fileURLToPath(new URL(`../examples/${example}`, import.meta.url))
  const template = fileURLToPath(new URL(`../packages/kit/templates/${name}`, import.meta.url))
  await rm(template, { recursive: true, force: true })
  await cp(source, template, { recursive: true, filter: (path) => !SKIPPED.has(basename(path)) })
}

const lock = fileURLToPath(new URL("../package-lock.json", import.meta.url))
await copyFile(lock, fileURLToPath(new URL("../packages/kit/templates/tested-versions.json", import.meta.url)))

// The page of development and the README of a new app link to these.
const docs = fileURLToPath(new URL("../docs", import.meta.url))
const packedDocs = fileURLToPath(new URL("../packages/kit/docs", import.meta.url))
await rm(packedDocs, { recursive: true, force: true })
await cp(docs, packedDocs, { recursive: true, filter: (path) => basename(path) !== "images" })
