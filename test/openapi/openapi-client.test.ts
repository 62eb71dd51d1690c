// @module-tag not-about-engine

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import createClient from "openapi-fetch"
import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"
import { afterAll, beforeAll, expect, test } from "vitest"
import { AnswerChecker, type Document } from "./answer-checker.ts"

const root = fileURLToPath(new URL("../../examples/newsroom", import.meta.url))
const calls = fileURLToPath(new URL("client/newsroom-calls.ts", import.meta.url))

let app: Awaited<ReturnType<typeof testApp>>
let folder: string
let document: Document
let admin: Awaited<ReturnType<typeof app.signIn>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kit-openapi-"))
  app = await testApp({ root, config: { openapi: true } })
  admin = await app.signIn({ role: "admin" })
  document = (await (await app.fetch("/_kit/openapi.json?all=true", { headers: admin.headers })).json()) as Document
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

test("a client with types from the document compiles, and its wrong calls do not", async () => {
  const types = join(folder, "newsroom-api.ts")
  // The cast is safe: the document is OpenAPI 3.1, which the next test validates.
  await writeFile(types, astToString(await openapiTS(document as never)))

  expect(compile(calls, { "newsroom-api": [types] })).toEqual([])
})

function compile(file: string, paths: Record<string, string[]>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    paths,
  }
  const program = ts.createProgram([file], options)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start, file: at }) => {
    const line = at && start !== undefined ? at.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${at?.fileName ?? ""}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`
  })
}

async function createBySystem(name: string, data: Readonly<Record<string, unknown>>): Promise<string> {
  const created = await app.system.collections[name]?.create(data)
  return String(created?.["id"])
}

test("the client's calls get answers of the shapes that the document describes", async () => {
  const editor = await app.signIn({ role: "editor", email: "eva@example.com", name: "Eva" })
  const team = await createBySystem("teams", { name: "Sport", slug: "sport" })
  await createBySystem("memberships", { team, user: editor.user.id, role: "editor" })
  await app.system.globals["settings"]?.update({ siteName: "News" })
  const checker = new AnswerChecker(document)
  const clientOf = (headers: Readonly<Record<string, string>>) =>
    createClient({
      baseUrl: app.url,
      headers,
      fetch: async (request) => {
        const response = await fetch(request.clone())
        await checker.check(request, "/api", response)
        return response
      },
    })

  const { callNewsroom } = await import("./client/newsroom-calls.ts" as string)
  await callNewsroom({
    anonymous: clientOf({}),
    editor: clientOf(editor.headers),
    admin: clientOf(admin.headers),
    team,
    author: editor.user.id,
  })

  expect(checker.checked.length).toBeGreaterThanOrEqual(30)
  expect(new Set(checker.checked).size).toBeGreaterThanOrEqual(20)
})
