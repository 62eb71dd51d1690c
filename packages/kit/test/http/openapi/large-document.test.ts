import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { compileOrThrow } from "../../../src/app/definition/compile-definition.ts"
import type { DescribedApp } from "../../../src/http/openapi/described-app.ts"
import { DocumentTexts } from "../../../src/http/openapi/document-texts.ts"
import { ENDPOINT_TABLE } from "../../../src/http/openapi/operations/endpoint-table.ts"
import { wholeApp } from "../../../src/http/openapi/whole-app.ts"
import { collection } from "../../../src/schema/builders/collection.ts"
import { ONE_LOCALE } from "../../../src/schema/compile/locales.ts"

const COLLECTIONS = 200
const FIELDS = 40

test("the document of a large app is built in slices, and once for all callers with the same rights", async () => {
  const app = largeApp()
  const texts = new DocumentTexts()
  const turns = countTurns()

  const [text, same] = await Promise.all([texts.read(app), texts.read({ ...app })])
  const other = await texts.read({ ...app, resources: app.resources.slice(0, 1) })

  // The event loop has had many turns meanwhile, so that other requests were served.
  expect(turns.stop()).toBeGreaterThan(20)
  expect(Object.is(text, same)).toBe(true)
  expect(other).not.toBe(text)
  expect(gzipSync(text).length).toBeLessThan(400_000)
})

test("a document that cannot be built is not kept", async () => {
  const app = largeApp()
  const texts = new DocumentTexts()

  await expect(texts.read({ ...app, endpoints: ["GET /nothing"] })).rejects.toThrow("has no description")
  expect((await texts.read({ ...app, resources: app.resources.slice(0, 1) })).length).toBeGreaterThan(1000)
})

function countTurns(): { stop(): number } {
  let turns = 0
  let isCounting = true
  const count = () => {
    turns += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  return {
    stop: () => {
      isCounting = false
      return turns
    },
  }
}

function largeApp(): DescribedApp {
  const resources = Array.from({ length: COLLECTIONS }, (_, index) => ({
    file: `src/collections/c${index}.ts`,
    definition: largeCollection(index).definition,
  }))
  const { schema, routes } = compileOrThrow({ config: {}, resources })
  const facts = {
    ...{ name: "large", url: undefined, basePath: "/api", locales: ONE_LOCALE, channels: false, signUp: false },
    ...{ cookie: "kit.session_token", endpoints: Object.keys(ENDPOINT_TABLE) },
  }
  return wholeApp(facts, { schema, routes })
}

function largeCollection(index: number) {
  return collection(`c${index}`)
    .fields(({ f }) => {
      const makers = [
        () => f.text(100).required(),
        () => f.number().integer(),
        () => f.datetime(),
        () => f.select(["one", "two", "three"]),
        (at: number) => f.relation(`c${(index + at) % COLLECTIONS}`),
      ]
      const fields = Array.from({ length: FIELDS }, (_, at) => [`field${at}`, makers[at % makers.length]?.(at)])
      return Object.fromEntries(fields)
    })
    .options({ versions: true, softDelete: true })
    .access({ read: true, create: true, update: true, delete: true })
}
