// @module-tag full-count

import fc from "fast-check"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import {
  type FindTarget,
  partFields,
  partRelations,
  partValues,
  withRecords,
} from "../support/oracles/related-parts.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const READS = count({ short: 40, long: 1_500 })
const PAGES = 30
const boss: Session = { user: { id: "boss", role: "boss" } }
const everyone = { read: true, create: true, update: true } as const

const media = collection("media")
  .fields(({ f }) => ({
    name: f.text().required(),
    at: f.datetime(),
    bytes: f.number().bigint(),
    price: f.number().decimal(8, 2),
    owner: f.relation("people"),
    some: f.text().access({ read: () => ({ name: { ne: "picture 2" } }) }),
    secret: f.text().access({ read: ({ session }) => session?.user.role === "boss" }),
  }))
  .options({ softDelete: true })
  .access({ ...everyone, read: ({ session }) => session?.user.role === "boss" || { name: { ne: "picture 3" } } })

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    card: f.object({ image: f.relation("media") }),
    loud: f.computed(({ row }) => String(row["name"]).toUpperCase()),
  }))
  .options({ id: "client" })
  .access({ ...everyone, read: () => ({ id: { ne: "hidden" } }) })

const pages = collection("pages")
  .fields(({ f }) => ({
    number: f.number().integer().required(),
    ...partFields(f),
    masked: f.object({ image: f.relation("media") }).access({ read: () => ({ number: { gt: PAGES / 2 } }) }),
  }))
  .access(everyone)

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [media, people, pages] })
  const system = app.app.system.collections as Record<string, any>
  const ids = { media: [] as string[], people: ["Ann", "bob", "hidden"] }
  for (const id of ids.people) await system["people"].create({ id, name: `person ${id}` })
  for (const number of [0, 1, 2, 3, 4, 5]) {
    const owner = ids.people[number % 3]
    const more = {
      at: new Date(number),
      bytes: 2n ** 60n + BigInt(number),
      price: "1.50",
      some: "x",
      secret: "s",
      owner,
    }
    ids.media.push((await system["media"].create({ name: `picture ${number}`, ...more })).id)
  }
  for (const [index, id] of ids.people.entries())
    await system["people"].updateById({ id, data: { card: { image: ids.media[index + 2] } } })
  for (const [number, values] of fc.sample(partValues(ids), PAGES).entries())
    await system["pages"].create({ number, ...values, masked: { image: ids.media[number % 6] } })
  // Deleted without a trace in the values that refer to it.
  await app.database.query(`update "media" set "deletedAt" = now() where "name" = 'picture 5'`)
})
afterAll(() => app[Symbol.asyncDispose]())

test("a read with relations of parts returns what reads of the related records return", async () => {
  const masked = fc.option(fc.constant({ masked: { image: true } }), { nil: {} })
  await fc.assert(
    fc.asyncProperty(partRelations(), masked, fc.boolean(), async (parts, more, isBoss) => {
      const { collections } = app.client(isBoss ? boss : undefined)
      const related = { ...parts, ...more }
      const all = { limit: 100, orderBy: { number: "asc" } }
      const find = findBy(collections)

      const plain = await collections["pages"].find(all)
      const hydrated = await collections["pages"].find({ ...all, with: related })

      const expected = await Promise.all(plain.docs.map((doc: object) => withRecords(doc, related, find)))
      expect(hydrated.docs).toEqual(expected)
    }),
    { numRuns: READS },
  )
})

// Each record is read once by a caller with the same options.
function findBy(collections: Record<string, any>): FindTarget {
  const found = new Map<string, Promise<unknown>>()
  return (target, id, options) => {
    const { where, ...others } = options === true ? { where: {} } : { where: {}, ...options }
    const read = () => collections[target].findOne({ ...others, where: { AND: [{ id }, where] } })
    const key = JSON.stringify([target, id, options])
    const known = found.get(key) ?? read()
    found.set(key, known)
    return known
  }
}
