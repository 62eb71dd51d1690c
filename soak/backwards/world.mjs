// The app of the experiment in soak/backwards.mjs: whatever it shows only ever grows.
import { collection, global, route } from "kit"

const everyone = { read: true }

const counters = collection("counters")
  .fields(({ f }) => ({ name: f.text().required(), value: f.number().integer().required() }))
  .access(everyone)

// A read that takes its time: it tells of the moment in which it began.
const heavy = collection("heavy")
  .fields(({ f }) => ({
    counter: f.relation("counters"),
    weight: f.virtual(f.number().integer(), "(select 1 from pg_sleep(0.15))"),
  }))
  .access(everyone)

const flags = collection("flags").fields(({ f }) => ({ low: f.number().integer().required() }))

// Whoever reads is led to another query whenever the flag changes, and is shown the same.
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

/** Those that are counted by an instance that nobody strikes, and the others. */
export const STEADY = ["a", "b", "c"]
export const STRUCK = ["d", "e"]

/** @param {any} ctx */
async function prepare({ asSystem }) {
  const { collections, globals } = asSystem()
  const made = []
  for (const name of [...STEADY, ...STRUCK]) made.push(await collections["counters"].create({ name, value: 0 }))
  await collections["heavy"].create({ counter: made[0].id })
  await collections["ruled"].create({ value: 0 })
  await collections["flags"].create({ low: -1 })
  await globals["clock"].update({ tick: 0 })
}

/** Counts on. Whoever counts holds the row, so that nothing that was asked long ago sets it back. @param {any} ctx */
function count({ input, transaction }) {
  return transaction(async (/** @type {any} */ inner) => {
    const { collections, db } = inner.asSystem()
    const rows = db.selectFrom("counters").select(["id", "value"]).where("name", "=", input.name)
    const { id, value } = await rows.forUpdate().executeTakeFirstOrThrow()
    await collections["counters"].updateById({ id, data: { value: value + 1 } })
    await collections["laps"].create({ number: value + 1, counter: id })
  })
}

/** @param {any} ctx */
function tick({ input, transaction }) {
  return transaction(async (/** @type {any} */ inner) => {
    const { collections, globals, db } = inner.asSystem()
    const { id, value } = await db.selectFrom("ruled").select(["id", "value"]).forUpdate().executeTakeFirstOrThrow()
    await collections["ruled"].updateById({ id, data: { value: value + 1 } })
    await globals["clock"].update({ tick: value + 1 })
    if (input.isFlip) await collections["flags"].updateMany({ where: {}, all: true, data: { low: -(value % 7) - 1 } })
  })
}

/** What `testApp` takes. */
export const world = {
  collections: [counters, heavy, flags, ruled, laps],
  globals: [clock],
  routes: { prepare: route().handler(prepare), count: route().handler(count), tick: route().handler(tick) },
  config: {
    secret: "a secret of 32 characters or more",
    limits: { rate: false },
    // That the database is away for a moment is what the experiment is about.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  },
}

/** @typedef {Record<string, number>} Measures  numbers that never fall */

/** @param {any} page @returns {Measures} */
function measurePage({ docs, totalDocs }) {
  const values = docs.map((/** @type {any} */ { name = "first", value, number, counter }) => [
    [name, value ?? number ?? 0],
    ["its counter", counter?.value ?? 0],
  ])
  return { total: totalDocs, ...Object.fromEntries(values.flat()) }
}

/** What is followed, and what is measured in each snapshot of it. @type {Record<string, { asked: Record<string, any>, measure: (data: any) => Measures }>} */
export const TOPICS = {
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
