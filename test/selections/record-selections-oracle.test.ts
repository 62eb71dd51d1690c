// @module-tag full-count

import type { Session } from "kit"
import { KitClientError } from "kit/client"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { needsMore } from "../support/needs-more.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import {
  randomSelection,
  SELECTION_CALLERS,
  SELECTION_LOCALES,
  SELECTION_WORLD,
  type SelectionName,
} from "../support/worlds/selection-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WRITES = count({ short: 120, long: 5000 })
const WRITTEN: readonly SelectionName[] = ["posts", "posts", "people", "notes", "letters"]
/** The kinds of answers that the writes of a run must have. */
const KINDS = ["a record", "the id alone", "404", "400"]

test.each([seededRandom()])(
  "a write answers with what the next read of the record returns (seed $seed)",
  async (random) => {
    await using app = await testApp({ resources: SELECTION_WORLD, config: { locales: SELECTION_LOCALES } })
    const kinds = new Set<string>()
    const hasAll = () => KINDS.every((kind) => kinds.has(kind))

    for (let done = 0; needsMore(done, { cases: WRITES, isComplete: hasAll() }); done++) {
      const write = await randomWrite(app, random)
      const written = await outcomeOf(() => send(app, write))
      kinds.add(kindOf(written))
      if (written.record === undefined) continue
      const { id } = written.record
      const read = await outcomeOf(() => findOne(app, write, String(id ?? write.id)))

      expect([write, written.record]).toEqual([write, read.record ?? { id }])
    }

    expect([...kinds].sort()).toEqual(expect.arrayContaining([...KINDS].sort()))
  },
)

interface Write {
  readonly name: SelectionName
  /** The record to update; undefined for a create. */
  readonly id: string | undefined
  readonly data: Record<string, unknown>
  readonly options: Record<string, unknown>
  readonly session: Session | undefined
  readonly isInProcess: boolean
}

interface Outcome {
  readonly record?: Record<string, unknown> | undefined
  readonly status?: number
}

// Only errors of the API count as outcomes.
async function outcomeOf(call: () => Promise<Record<string, unknown> | null>): Promise<Outcome> {
  try {
    return { record: (await call()) ?? undefined }
  } catch (error) {
    if (error instanceof KitClientError) return { status: Number(error.status) }
    const status = Object(error).status
    if (typeof status !== "number" || status >= 500) throw error
    return { status }
  }
}

function kindOf({ record, status }: Outcome): string {
  if (record === undefined) return String(status)
  return Object.keys(record).length > 1 ? "a record" : "the id alone"
}

function operationsOf(app: TestApp, { name, session, isInProcess }: Write): any {
  return isInProcess ? app.app.as(session ?? null).collections[name] : app.client(session).collections[name]
}

function send(app: TestApp, write: Write): Promise<Record<string, unknown>> {
  const operations = operationsOf(app, write)
  const { id, data, options } = write
  return id === undefined ? operations.create(data, options) : operations.updateById({ id, data }, options)
}

function findOne(app: TestApp, write: Write, id: string): Promise<Record<string, unknown> | null> {
  return operationsOf(app, write).findOne({ where: { id }, ...write.options })
}

async function randomWrite(app: TestApp, random: SeededRandom): Promise<Write> {
  const { below } = random
  const name = pick(random, WRITTEN)
  const session = pick(random, SELECTION_CALLERS)
  const mistake = below(20) === 0 && { columns: { nothing: true } }
  return {
    name,
    id: below(2) === 0 ? undefined : await randomId(app, random, name),
    data: await dataOf(app, random, name),
    options: { ...randomSelection(random, name), ...mistake, ...placeOf(random, name, session) },
    session,
    isInProcess: below(3) === 0,
  }
}

// Without a stage, a write answers with the working copy. That is also what a read without a stage returns, if the
// caller may read all drafts.
function placeOf(random: SeededRandom, name: SelectionName, session: Session | undefined): Record<string, unknown> {
  const { below } = random
  const stages = session?.user["role"] === "editor" ? [undefined, "draft", "published"] : ["draft", "published"]
  const stage = name === "posts" ? pick(random, stages) : undefined
  return {
    ...(stage !== undefined && { stage }),
    ...(below(3) === 0 && { locale: pick(random, SELECTION_LOCALES.all) }),
    ...(below(6) === 0 && { localeFallback: false }),
  }
}

async function dataOf(app: TestApp, random: SeededRandom, name: SelectionName): Promise<Record<string, unknown>> {
  const { below } = random
  const people = [await randomId(app, random, "people"), null, { create: { name: personName(random) } }]
  const at = pick(random, [new Date(1_700_000_000_000 + below(9) * 1_000), null])
  switch (name) {
    case "people":
      return { name: personName(random), phone: "1", email: "e", boss: pick(random, people) }
    case "notes":
      return { text: word(random), at, writer: pick(random, people) }
    case "letters":
      return { text: word(random), sender: pick(random, people) }
    default:
      return {
        title: word(random),
        body: pick(random, ["river", "stone", "sealed"]),
        owner: pick(random, ["ann", "bob"]),
        at,
        fee: below(9),
        key: "k",
        author: pick(random, people),
        tags: pick(random, [
          { create: [{ name: word(random) }] },
          { create: [{ name: "a" }, { name: "b" }] },
          { set: [] },
        ]),
      }
  }
}

function personName(random: SeededRandom): string {
  return pick(random, ["Eva", "Ida", "Hidden"])
}

function word(random: SeededRandom): string {
  return pick(random, ["river", "stone", "moss"])
}

async function randomId(app: TestApp, random: SeededRandom, name: SelectionName): Promise<string | undefined> {
  const rows = await app.database.query(`select id from ${name} order by id desc limit 8`)
  const row = rows[random.below(rows.length)]
  return row && String(row["id"])
}

function pick<Value>({ below }: SeededRandom, values: readonly Value[]): Value {
  // The cast is safe: the lists of this file are not empty, and the index is below their length.
  return values[below(values.length)] as Value
}
