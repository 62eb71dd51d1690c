// @module-tag full-count

import type { Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
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

const SEARCHES = count({ short: 100, long: 3000 })
const SEARCHED: readonly SelectionName[] = ["posts", "people"]
/** The kinds of selections that must have hits in a run. */
const KINDS = SEARCHED.flatMap((name) => ["columns", "with", "columns,with"].map((has) => `${name} ${has}`))
const [ann, bob] = SELECTION_CALLERS

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: SELECTION_WORLD, config: { locales: SELECTION_LOCALES } })
  const { posts, people } = app.app.system.collections as any
  const ids: string[] = []
  for (const name of ["Eva River", "Ida Stone", "Hidden", "Uma River"]) {
    const boss = ids.at(-1) ?? null
    ids.push((await people.create({ name, phone: "1", email: `${name}@x.test`, boss })).id)
  }
  for (let index = 0; index < 12; index++) {
    const { id } = await posts.create({
      ...{ title: index % 3 === 0 ? null : `River ${index}`, body: ["river", "stone", "sealed"][index % 3] },
      ...{ owner: index % 2 === 0 ? "ann" : "bob", fee: index, key: "k", at: new Date(index) },
      ...{ author: ids[index % 4], tags: { create: [{ name: "red" }, { name: `t${index}` }] } },
    })
    if (index % 2 === 0) await posts.transitionStage({ id, stage: "published" })
    if (index % 4 === 0) await posts.updateById({ id, data: { body: "river draft" } })
    await posts.updateById({ id, data: { title: `Rieka ${index}` } }, { locale: "sk" })
  }
})
afterAll(() => app[Symbol.asyncDispose]())

test.each([seededRandom()])("a hit is the record of find with the same selection (seed $seed)", async (random) => {
  const kinds = new Set<string>()
  const hasAll = () => KINDS.every((kind) => kinds.has(kind))

  for (let done = 0; needsMore(done, { cases: SEARCHES, isComplete: hasAll() }); done++) {
    const session = SELECTION_CALLERS[random.below(SELECTION_CALLERS.length)]
    const { plain, selections } = randomSearch(random)
    const { search, collections } = clientOf(session, random)
    const bare = await search.search(plain)
    const found = await search.search({ ...plain, ...selections })

    expect(found).toMatchObject({ total: bare.total })
    expect(found.docs.map(matchOf)).toEqual(bare.docs.map(matchOf))
    for (const name of SEARCHED) {
      const hits = found.docs.filter((doc: any) => doc._collection === name)
      const { locale, localeFallback, stage } = plain
      const options = { locale, localeFallback, ...(name === "posts" && { stage }) }
      const where = { id: { in: hits.map(({ id }: any) => id) } }
      const selection = { with: selections.with?.[name], columns: selections.columns?.[name] }
      const { docs } = await collections[name].find({ where, limit: plain.limit, ...selection, ...options })
      const expected = new Map(docs.map((doc: any) => [doc.id, doc]))
      for (const { _collection, _search, ...record } of hits) {
        kinds.add(`${name} ${Object.keys(selections).sort()}`)
        expect([plain, selections, record]).toEqual([plain, selections, expected.get(record.id)])
      }
    }
  }

  expect([...kinds]).toEqual(expect.arrayContaining(KINDS))
})

function matchOf({ id, _collection, _search }: any): unknown {
  return { id, _collection, _search }
}

function clientOf(session: Session | undefined, { below }: SeededRandom): any {
  return below(3) === 0 ? app.app.as(session ?? null) : app.client(session)
}

function randomSearch(random: SeededRandom): { plain: any; selections: any } {
  const { below } = random
  const collections = [undefined, ["posts"], ["people"], ["posts", "people"]][below(4)]
  const selected = SEARCHED.filter((name) => (collections ?? SEARCHED).includes(name) && below(4) > 0)
  const each = selected.map((name) => [name, randomSelection(random, name, 2)] as const)
  const by = (option: "with" | "columns") => {
    const given = each.flatMap(([name, selection]) => (selection[option] ? [[name, selection[option]] as const] : []))
    return given.length === 0 ? {} : { [option]: Object.fromEntries(given) }
  }
  const stage = collections?.includes("posts") && below(3) === 0 ? "published" : undefined
  const plain = {
    query: ["", "river", "stone", "rieka"][below(4)],
    limit: 1 + below(20),
    ...(collections && { collections }),
    ...(stage && { stage }),
    ...(below(3) === 0 && { locale: SELECTION_LOCALES.all[below(2)] }),
    ...(below(6) === 0 && { localeFallback: false }),
    ...(below(3) === 0 && { highlights: true }),
  }
  return { plain, selections: { ...by("with"), ...by("columns") } }
}

describe("the selection of a search", () => {
  test("keeps the title and the highlights of a match without its field", async () => {
    const options = { query: "river", collections: ["posts"], highlights: true, columns: { posts: { owner: true } } }

    const { docs } = await app.client(ann).search.search(options)

    expect(Object.keys(docs[0]).sort()).toEqual(["_collection", "_search", "id", "owner"])
    expect(docs.some(({ _search }: any) => _search.indexedTitle?.startsWith("River"))).toBe(true)
    expect(docs.some(({ _search }: any) => JSON.stringify(_search.highlights).includes("<mark>"))).toBe(true)
  })

  test.each([
    [{ with: [] }, "with"],
    [{ with: { posts: true } }, "with.posts"],
    [{ with: { posts: null } }, "with.posts"],
    [{ with: { posts: { auther: true } } }, "with.posts.auther"],
    [{ with: { posts: { author: "maybe" } } }, "with.posts.author"],
    [{ with: { posts: { reviewer: true } } }, "with.posts.reviewer"],
    [{ with: { posts: { author: { columns: { phone: true } } } } }, "with.posts.author.columns.phone"],
    [{ with: { posts: { author: { where: { nmae: "x" } } } } }, "with.posts.author.where.nmae"],
    [{ with: { posts: { author: { limit: 1 } } } }, "with.posts.author.limit"],
    [{ with: { people: { posts: { stage: "archived" } } } }, "with.people.posts.stage"],
    [{ with: { people: deep(6) } }, `with.people.boss.${"with.boss.".repeat(4)}with`],
    [{ with: { people: { posts: { limit: 1000, with: { tags: { limit: 1000 } } } } }, limit: 100 }, "with.people"],
    [{ with: { notes: { writer: true } } }, "with.notes"],
    [{ with: { posts: { author: true } }, collections: ["people"] }, "with.posts"],
    [{ columns: "title" }, "columns"],
    [{ columns: { posts: [] } }, "columns.posts"],
    [{ columns: { posts: { titel: true } } }, "columns.posts.titel"],
    [{ columns: { posts: { key: true } } }, "columns.posts.key"],
    [{ columns: { posts: { title: true, body: false } } }, "columns.posts"],
    [{ columns: { posts: { tags: true } } }, "columns.posts.tags"],
    [{ columns: { letters: { text: true } } }, "columns.letters"],
    [{ column: { posts: {} } }, "column"],
  ])("with a mistake is refused with its path: %j", async (options, path) => {
    const body = JSON.stringify({ query: "", ...options })

    const answer = await app.fetch("/search", { method: "POST", body, ...(bob && { session: bob }) })

    expect([answer.status, answer.body.error.fieldErrors?.[0]?.path]).toEqual([400, path])
  })

  test("is refused by the client if a condition in it is undefined, which JSON would leave out", async () => {
    const sought = { query: "", with: { posts: { author: { where: { name: undefined } } } } }

    await expect(app.client(ann).search.search(sought)).rejects.toThrow("with.author.where.name")
  })

  test("suggests only names that the caller may use", async () => {
    const messageFor = async (session: Session | undefined) => {
      const body = JSON.stringify({ query: "", with: { posts: { revieewer: true } } })
      const answer = await app.fetch("/search", { method: "POST", body, ...(session && { session }) })
      return answer.body.error.fieldErrors[0].message
    }

    expect(await messageFor(ann)).toContain('Did you mean "reviewer"?')
    expect(await messageFor(bob)).not.toContain('reviewer"')
  })

  test("counts the filters of related records once", async () => {
    const filters = Array.from({ length: 5 }, () => ({ boss: { is: { boss: { is: { name: "Eva River" } } } } }))
    const options = { query: "", collections: ["people"], columns: { people: { phone: true } } }
    const withBoss = { people: { boss: { where: { OR: filters } } } }

    const { docs } = await app.client(ann).search.search({ ...options, with: withBoss })

    expect(docs.length).toBe(4)
  })
})

function deep(levels: number): object {
  return { boss: levels === 1 ? true : { with: deep(levels - 1) } }
}
