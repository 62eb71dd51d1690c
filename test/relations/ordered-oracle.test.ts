// @module-tag full-count

import { collection } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type OrderState, type OrderWrite, OrderWriter, written } from "../support/oracles/order-model.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const SEQUENCES = count({ short: 4, long: 200 })
const ROUNDS = 12
const SONGS = ["a", "b", "c", "d", "e", "f"]

const open = { read: true, drafts: true, create: true, update: true, transition: true, versions: true } as const

const lists = collection("lists")
  .fields(({ f }) => ({ songs: f.relation("songs").manyToMany({ through: "listing", ordered: true }) }))
  .options({ id: "client", versions: true, workflow: true })
  .access(open)

const songs = collection("songs")
  .fields(({ f }) => ({ lists: f.relation("lists").manyToMany({ through: "listing" }) }))
  .options({ id: "client" })
  .access(open)

test.each([seededRandom()])("orders are what the model says, also with two writers (seed $seed)", async (random) => {
  await using app = await testApp({ resources: [lists, songs] })
  for (const id of SONGS) await collectionsOf(app)["songs"].create({ id })
  const writer = new OrderWriter(random, SONGS)
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    const list = new ListUnderTest(app, `list-${sequence}`)
    let state = await list.create(SONGS.slice(random.below(SONGS.length)))
    for (let round = 0; round < ROUNDS; round++) {
      const writes = Array.from({ length: 1 + random.below(2) }, () => writer.write(state))
      state = await list.check(state, writes)
    }
  }
})

/** The effect of a write, or of two at the same time. */
interface Outcome {
  readonly refused: readonly boolean[]
  readonly state: OrderState
}

class ListUnderTest {
  readonly #app: TestApp
  readonly #id: string

  constructor(app: TestApp, id: string) {
    this.#app = app
    this.#id = id
  }

  async create(songs: readonly string[]): Promise<OrderState> {
    await collectionsOf(this.#app)["lists"].create({ id: this.#id, songs })
    const state = { draft: songs, published: undefined, versions: [songs] }
    expect(await this.#read()).toEqual(state)
    return state
  }

  /** Makes the writes at the same time. Returns the state, which must be that of the model after one order of the writes. */
  async check(state: OrderState, writes: readonly OrderWrite[]): Promise<OrderState> {
    const refused = await Promise.all(writes.map((write) => this.#isRefused(write)))
    const found: Outcome = { refused, state: await this.#read() }
    const expected = outcomesOf(state, writes)
    expect(expected, JSON.stringify({ state, writes })).toContainEqual(found)
    await this.#expectUniquePositions()
    return found.state
  }

  async #isRefused(write: OrderWrite): Promise<boolean> {
    try {
      await this.#run(write)
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(VALIDATION_ERROR|NOT_FOUND)$/) })
      return true
    }
  }

  #run(write: OrderWrite): Promise<unknown> {
    const { lists, songs } = collectionsOf(this.#app)
    const id = this.#id
    switch (write.kind) {
      case "list":
        return lists.updateById({ id, data: { songs: write.songs } })
      case "copy":
        return lists.updateById({ id, data: { songs: write.songs } }, { stage: "published" })
      case "song":
        return songs.updateById({ id: write.song, data: { lists: { [write.way]: id } } })
      case "transition":
        return lists.transitionStage({ id, stage: write.stage })
      case "revert":
        return lists.revertToVersion({ id, version: write.version })
      default:
        return write satisfies never
    }
  }

  async #read(): Promise<OrderState> {
    const versions = await this.#app.database.query(
      `select data->'songs' as songs from "_kit_versions" where "table" = 'lists' and record = '${this.#id}' order by number`,
    )
    return {
      draft: (await this.#songsIn("draft")) ?? [],
      published: await this.#songsIn("published"),
      versions: versions.map(({ songs }) => songs as string[]),
    }
  }

  async #songsIn(stage: string): Promise<string[] | undefined> {
    const { docs } = await collectionsOf(this.#app)["lists"].find({
      ...{ stage, where: { id: this.#id }, with: { songs: { columns: { id: true } } } },
    })
    return docs[0]?.songs.map(({ id }: { id: string }) => id)
  }

  async #expectUniquePositions(): Promise<void> {
    const where = `where lists_id = '${this.#id}'`
    for (const table of ["listing.links", "listing.links.lists.stage.published"]) {
      const [found] = await this.#app.database.query(
        `select count(*) = count(distinct position) as is_unique from "${table}" ${where}`,
      )
      expect(found).toEqual({ is_unique: true })
    }
  }
}

function collectionsOf(app: TestApp): Record<string, any> {
  return app.app.system.collections as Record<string, any>
}

// Returns the outcomes of the writes one after the other, in each order. A song that is disconnected from its side may
// have been disconnected from the other side in the meantime, which is no error.
function outcomesOf(state: OrderState, writes: readonly OrderWrite[]): Outcome[] {
  const [first, second] = writes
  if (first === undefined) return []
  const one = (from: OrderState, write: OrderWrite, isBesideAnother: boolean) => {
    const to = written(from, write)
    const isTolerated = isBesideAnother && write.kind === "song" && write.way === "disconnect"
    const refused = [{ refused: true, state: from }, ...(isTolerated ? [{ refused: false, state: from }] : [])]
    return to ? [{ refused: false, state: to }] : refused
  }
  if (second === undefined) return one(state, first, false).map((each) => ({ ...each, refused: [each.refused] }))
  const both = (earlier: OrderWrite, later: OrderWrite) =>
    one(state, earlier, true).flatMap((before) =>
      one(before.state, later, true).map((after) => ({ refused: [before.refused, after.refused], state: after.state })),
    )
  return [
    ...both(first, second),
    ...both(second, first).map((each) => ({ ...each, refused: each.refused.toReversed() })),
  ]
}
