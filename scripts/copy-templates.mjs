import { copyFile, cp, rm } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

// Runs before the package is packed: the template "newsroom" is the example, new apps get the versions of the workspace,
// and the documentation is installed with the package.
const SKIPPED = new Set(["node_modules", ".kit", "dist", "tsconfig.json", "README.md"])
const example = fileURLToPath(new URL("../examples/newsroom", import.meta.url))
const template = fileURLToPath(new URL("../packages/kit/templates/newsroom", import.meta.url))

await rm(template, { recursive: true, force: true })
await cp(example, template, { recursive: true, filter: (path) => !SKIPPED.has(basename(path)) })

const lock = fileURLToPath(new URL("../package-lock.json", import.meta.url))
await copyFile(lock, fileURLToPath(new URL("../packages/kit/templates/tested-versions.json", import.meta.url)))

// The page of development and the README of a new app link to these.
const docs = fileURLToPath(new URL("../docs", import.meta.url))
const packedDocs = fileURLToPath(new URL("../packages/kit/docs", import.meta.url))
await rm(packedDocs, { recursive: true, force: true })
await cp(docs, packedDocs, { recursive: true, filter: (path) => basename(path) !== "images" })
