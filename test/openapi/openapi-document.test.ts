import { fileURLToPath } from "node:url"
import { validate } from "@readme/openapi-parser"
import { testApp } from "kit/testing"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = fileURLToPath(new URL("../../examples/newsroom", import.meta.url))

type App = Awaited<ReturnType<typeof testApp>>

let app: App
beforeAll(async () => {
  app = await testApp({ root, config: { openapi: true } })
})
afterAll(() => app.stop())

async function documentFor(init: Parameters<App["fetch"]>[1] = {}, query = "") {
  const answer = await app.fetch(`/_kit/openapi.json${query}`, init)
  return { status: answer.status, body: (await answer.json()) as any }
}

test("a validator accepts the documents of the newsroom", async () => {
  const editor = await app.signIn({ role: "editor" })
  const admin = await app.signIn({ role: "admin" })
  for (const [init, query] of [
    [{}, ""],
    [{ as: editor }, ""],
    [{ as: admin }, ""],
    [{ as: admin }, "?all=true"],
  ] as const) {
    const { status, body } = await documentFor(init, query)
    expect(status).toBe(200)
    if (process.env["SHOW"])
      console.log(JSON.stringify(body).length, Object.keys(body.paths).length, Object.keys(body.components.schemas))
    if (process.env["SHOW"] && query) {
      ;(await import("node:fs")).writeFileSync(process.env["SHOW"], JSON.stringify(body, null, 1))
    }
    const result = await validate(structuredClone(body))
    expect(result).toMatchObject({ valid: true })
  }
})
