import fc from "fast-check"
import { collection } from "kit"
import { expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { personValues, rowsOf, thingFields, thingValues, treesOn, WORLD } from "../support/oracles/where-trees.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const TOPICS = 40
const WRITES = 10
const PEOPLE = 4
const THINGS = 12
const everyone = { read: true, create: true, update: true, delete: true } as const

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), age: f.number().integer(), data: f.json() }))
  .access(everyone)
const things = collection("things")
  .fields(({ f }) => ({ ...thingFields(f), owner: f.relation("people").onDelete("setNull") }))
  .options({ softDelete: true })
  .access(everyone)

/** Values that JSON cannot express are passed as strings, which fields parse. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_name, part) => (typeof part === "bigint" ? String(part) : part)))

test("a write of a single record, of whatever types, reaches every topic that it touches", async () => {
  const random = seededRandom()
  await using app = await testApp({
    resources: [people, things],
    config: { realtime: { topicsPerConnection: TOPICS } },
  })
  const owners = await ids(app, "people", sample(rowsOf(personValues(WORLD)), { random, count: PEOPLE }))
  const row = rowsOf({ ...thingValues(WORLD), owner: fc.constantFrom(...owners) })
  await ids(app, "things", sample(row, { random, count: THINGS }))
  const trees = sample(treesOn({ alphabet: WORLD, ids: owners, relatedPercent: 25 }), { random, count: TOPICS })
  const topics = trees.map((where, index) => ({
    ...{ id: String(index), resourceType: "collection", resource: "things", where: plain(where), limit: 100 },
  }))
  await using stream = await openEvents({ url: app.url, topics })
  await expectAll(app, stream, { topics, seed: random.seed })

  for (const data of sample(row, { random, count: WRITES })) {
    await writeOne(app, { data, random })
    await expectAll(app, stream, { topics, seed: random.seed })
  }
})

function sample<Value>(
  values: fc.Arbitrary<Value>,
  { random, count }: { random: ReturnType<typeof seededRandom>; count: number },
) {
  return fc.sample(values, { seed: random.below(2 ** 31), numRuns: count })
}

async function ids(app: TestApp, name: string, rows: readonly object[]): Promise<string[]> {
  const made: string[] = []
  for (const data of rows) made.push(String((await app.app.system.collections[name]?.create({ ...data }))?.["id"]))
  return made
}

interface OneWrite {
  readonly data: Readonly<Record<string, unknown>>
  readonly random: ReturnType<typeof seededRandom>
}

async function writeOne(app: TestApp, { data, random }: OneWrite): Promise<void> {
  const { things: own, people: owners } = app.app.system.collections
  const found = (await own?.find({ limit: 100, orderBy: { id: "asc" }, includeDeleted: true }))?.docs ?? []
  const picked = found[random.below(found.length)]
  const id = String(picked?.["id"])
  const some = Object.fromEntries(Object.entries(data).filter(() => random.below(100) < 25))
  const choice = random.below(10)
  if (picked?.["deletedAt"]) await (choice < 7 ? own?.restoreById({ id }) : own?.purgeById({ id }))
  else if (choice < 6) await own?.updateById({ id, data: some })
  else if (choice < 7) await own?.create(data)
  else if (choice < 9) await own?.deleteById({ id })
  else await owners?.updateMany({ all: true, data: { age: random.below(3) } })
}

interface Asked {
  readonly topics: readonly { readonly id: string; readonly where: object; readonly limit: number }[]
  readonly seed: number
}

async function expectAll(app: TestApp, stream: EventReader, { topics, seed }: Asked): Promise<void> {
  for (const { id, where, limit } of topics) {
    const { body } = await app.fetch("/things/query", { method: "POST", body: JSON.stringify({ where, limit }) })
    const note = `seed ${seed}, topic ${id}: ${JSON.stringify(where)}`
    await expect.poll(() => newest(stream, id), { message: note, interval: 20 }).toEqual(body)
  }
}

function newest({ events }: EventReader, id: string): unknown {
  const told = events.findLast(({ name, data }) => name === "snapshot" && "topicId" in data && data.topicId === id)
  return told?.name === "snapshot" ? told.data.data : undefined
}
