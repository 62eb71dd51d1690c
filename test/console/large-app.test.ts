// @module-tag not-about-engine

import { gzipSync } from "node:zlib"
import { collection } from "kit"
import type { AppIndex } from "kit/client"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"

const COLLECTIONS = 200
const FIELDS = 40
const INDEX_BYTES = 60_000

const NOUNS = ["order", "customer", "invoice", "parcel", "shelf", "contract", "ticket", "visit", "device", "recipe"]

/** A collection as authors write them: labels, a group, a list of columns, rules by role. */
function collectionAt(index: number) {
  const noun = NOUNS[index % NOUNS.length] ?? "thing"
  const name = `${noun}Of${index}`
  return collection(name)
    .fields(({ f }) =>
      Object.fromEntries(
        Array.from({ length: FIELDS }, (_, field) => [
          `${noun}Field${field}`,
          f.text(80).label(`The ${field}. field of ${name}`),
        ]),
      ),
    )
    .title(`${noun}Field0`)
    .label(`All ${noun}s of ${index}`, `One ${noun} of ${index}`)
    .description(`What the department ${index} knows of its ${noun}s.`)
    .icon("box")
    .group(`Department ${index % 12}`)
    .list({ columns: [0, 1, 2, 3, 4, 5].map((field) => `${noun}Field${field}`) })
    .access({ read: true, create: ({ session }) => session !== null, update: ({ session }) => session !== null })
}

test("the index of an app of 200 collections with 40 fields each is small", async () => {
  const collections = Array.from({ length: COLLECTIONS }, (_, index) => collectionAt(index))
  await using app = await testApp({ collections })
  const admin = await app.signIn({ role: "admin" })

  const answer = await app.fetch("/_kit/schema", { as: admin, headers: { "accept-encoding": "gzip" } })
  const text = await answer.text()

  expect(answer.headers.get("content-encoding")).toBe("gzip")
  // The endpoint answers exactly this.
  const { resources } = JSON.parse(text) as AppIndex
  expect(resources.filter(({ kind }) => kind === "collection").length).toBeGreaterThanOrEqual(COLLECTIONS)
  expect(resources.every(({ name, columns }) => name === "users" || columns.length === 6)).toBe(true)
  expect(gzipSync(text).byteLength).toBeLessThanOrEqual(INDEX_BYTES)
})
