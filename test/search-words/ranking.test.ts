// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const texts = collection("texts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea() }))
  .title("title")
  .searchable({ fields: ["body"] })
  .access({ read: true })

const FILLER = "and then nothing of interest happened for a while ".repeat(10)
const RECORDS = [
  { title: "Near", body: `${FILLER} the seven rivers of the north ${FILLER}` },
  { title: "Far", body: `seven ${FILLER} ${FILLER} rivers` },
  { title: "Often", body: `rivers, rivers and rivers ${FILLER} ${FILLER}` },
  { title: "Rivers", body: `${FILLER} ${FILLER} of the rivers ${FILLER}` },
]

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [texts] })
  for (const record of RECORDS) await app.app.system.collections["texts"]?.create(record)
})

afterAll(() => app[Symbol.asyncDispose]())

async function titles(query: string): Promise<string[]> {
  const { docs } = await app.client().search.search({ query })
  return docs.map((doc: any) => doc.title)
}

describe("words that are near each other count more than words that are far apart", () => {
  // Newest first, the record with both words far apart would be the first.
  test.each(["seven rivers ", "seven rivers", "seven riv", "rivers sev"])("%s", async (query) => {
    expect(await titles(query)).toEqual(["Near", "Far"])
  })
})

describe("an excluded word", () => {
  test("does not change the order of the records without it", async () => {
    const order = await titles("rivers ")
    expect(order[0]).toBe("Rivers")
    expect(await titles("rivers -lake")).toEqual(order)
    expect(await titles("rivers -lake -sea")).toEqual(order)
  })

  test("leaves the newest first if there is no other word", async () => {
    expect(await titles("-lake -sea")).toEqual(RECORDS.map(({ title }) => title).reverse())
  })
})
