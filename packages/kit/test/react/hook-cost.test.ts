import { execFile } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { appFolder, compiler } from "../codegen/app-folder.ts"

const run = promisify(execFile)
const newspaper = fileURLToPath(new URL("../types/newspaper/src", import.meta.url))

/**
 * The largest cost of one call of a hook, in instantiations of types. Overloads cost 273, and 469 for options that may be
 * null, but describe mistakes by the wrong kind of handle (docs/decisions/0033-bindings.md).
 */
const MAX_INSTANTIATIONS = 330
const [FEW_CALLS, MANY_CALLS] = [5, 25]

const HEAD = `import { createClient } from "kit/client"
import { useLive } from "kit/react"
import type { AppConfig } from "./generated/index.ts"

const { articles } = createClient<AppConfig>({ baseURL: "http://localhost:3000" }).collections
declare const isShown: boolean
`
const OPTIONS = `{ where: { status: "done" }, with: { author: { columns: { name: true } } }, columns: { title: true }, limit: 20 }`

test.each([
  ["options", `useLive(articles, ${OPTIONS}).data?.docs[0]?.author?.name`],
  ["options that may be null", `useLive(articles, isShown ? ${OPTIONS} : null).data?.docs[0]?.author?.name`],
])("a call of useLive with %s costs the compiler little", async (_name, call) => {
  const few = await instantiationsOf(call, FEW_CALLS)
  const many = await instantiationsOf(call, MANY_CALLS)
  const cost = (many - few) / (MANY_CALLS - FEW_CALLS)

  console.log(`${cost} instantiations: ${call}`)
  expect(cost).toBeGreaterThan(0)
  expect(cost).toBeLessThanOrEqual(MAX_INSTANTIATIONS)
})

async function instantiationsOf(call: string, calls: number): Promise<number> {
  const components = Array.from({ length: calls }, (_none, number) => `export const use${number} = () => ${call}\n`)
  await using app = await appFolder(
    new Map([...(await newspaperFiles()), ["src/calls.ts", HEAD + components.join("")]]),
  )
  const args = [compiler, "--extendedDiagnostics", "--pretty", "false", "--checkers", "1"]
  const { stdout } = await run(process.execPath, args, { cwd: app.path })
  return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1] ?? Number.NaN)
}

/** The files of the app whose types are tested, by path. */
async function newspaperFiles(): Promise<[path: string, text: string][]> {
  const entries = await readdir(newspaper, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return await Promise.all(
    paths.map(
      async (path): Promise<[string, string]> => [join("src", relative(newspaper, path)), await readFile(path, "utf8")],
    ),
  )
}
