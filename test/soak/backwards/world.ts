// The app of the experiment in backwards.ts: every value that it returns only ever grows.
import { collection, global, route } from "kit"

const everyone = { read: true }

const counters = collection("counters")
  .fields(({ f }) => ({ name: f.text().required(), value: f.number().integer().required() }))
  .access(everyone)

// A slow read. Its result shows when it began.
const heavy = collection("heavy")
  .fields(({ f }) => ({
    counter: f.relation("counters"),
    weight: f.virtual(f.number().integer(), "(select 1 from pg_sleep(0.15))"),
  }))
  .access(everyone)

const flags = collection("flags").fields(({ f }) => ({ low: f.number().integer().required() }))

// Each change of the flag gives readers a different query with the same result.
const ruled = collection("ruled")
  .fields(({ f }) => ({ value: f.number().integer().required() }))
  .access({
    read: async ({ asSystem }) => {
      const { docs = [] } = (await asSystem().collections["flags"]?.find()) ?? {}
      return { value: { gte: Number(docs[0]?.["low"]) } }
    },
  })

const laps = collection("laps")
  .fields(({ f }) => ({ number: f.number().integer().required(), counter: f.relation("counters") }))
  .access(everyone)

const clock = global("clock")
  .fields(({ f }) => ({ tick: f.number().integer().required() }))
  .access(everyone)

/** The counters that a stable instance increments, and those that the struck instance increments. */
export const STEADY = ["a", "b", "c"]
export const STRUCK = ["d", "e"]

async function prepare({ asSystem }: any) {
  const { collections, globals } = asSystem()
  const made = []
  for (const name of [...STEADY, ...STRUCK]) made.push(await collections["counters"].create({ name, value: 0 }))
  await collections["heavy"].create({ counter: made[0].id })
  await collections["ruled"].create({ value: 0 })
  await collections["flags"].create({ low: -1 })
  await globals["clock"].update({ tick: 0 })
}

/** Increments a counter. It locks the row, so that a request from long ago cannot set the counter back. */
function count({ input, transaction }: any) {
  return transaction(async (inner: any) => {
    const { collections, db } = inner.asSystem()
    const rows = db.selectFrom("counters").select(["id", "value"]).where("name", "=", input.name)
    const { id, value } = await rows.forUpdate().executeTakeFirstOrThrow()
    await collections["counters"].updateById({ id, data: { value: value + 1 } })
    await collections["laps"].create({ number: value + 1, counter: id })
  })
}

function tick({ input, transaction }: any) {
  return transaction(async (inner: any) => {
    const { collections, globals, db } = inner.asSystem()
    const { id, value } = await db.selectFrom("ruled").select(["id", "value"]).forUpdate().executeTakeFirstOrThrow()
    await collections["ruled"].updateById({ id, data: { value: value + 1 } })
    await globals["clock"].update({ tick: value + 1 })
    if (input.isFlip) await collections["flags"].updateMany({ where: {}, all: true, data: { low: -(value % 7) - 1 } })
  })
}

/** The options for `testApp`. */
export const world = {
  collections: [counters, heavy, flags, ruled, laps],
  globals: [clock],
  routes: { prepare: route().handler(prepare), count: route().handler(count), tick: route().handler(tick) },
  config: {
    secret: "a secret of 32 characters or more",
    limits: { rate: false as const },
    // Silent, because the experiment makes the database unavailable on purpose.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  },
}

/** Numbers that never fall. */
export type Measures = Record<string, number>

function measurePage({ docs, totalDocs }: any): Measures {
  const values = docs.map(({ name = "first", value, number, counter }: any) => [
    [name, value ?? number ?? 0],
    ["its counter", counter?.value ?? 0],
  ])
  return { total: totalDocs, ...Object.fromEntries(values.flat()) }
}

/** The topics, and the measurements that are taken from each snapshot. */
export const TOPICS: Record<string, { asked: Record<string, any>; measure: (data: any) => Measures }> = {
  counters: {
    asked: { resourceType: "collection", resource: "counters", orderBy: { name: "asc" } },
    measure: measurePage,
  },
  one: { asked: { resourceType: "collection", resource: "counters", where: { name: "c" } }, measure: measurePage },
  heavy: {
    asked: { resourceType: "collection", resource: "heavy", with: { counter: true } },
    measure: measurePage,
  },
  ruled: { asked: { resourceType: "collection", resource: "ruled" }, measure: measurePage },
  laps: {
    asked: {
      resourceType: "collection",
      resource: "laps",
      where: { counter: { is: { name: "a" } } },
      with: { counter: true },
      orderBy: { number: "desc" },
      limit: 1,
    },
    measure: measurePage,
  },
  clock: { asked: { resourceType: "global", resource: "clock" }, measure: ({ tick }) => ({ tick }) },
}
