// @module-tag full-count

import { collection } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { needsMore } from "../support/needs-more.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WALKS = count({ short: 20, long: 1_500 })
const MAX_VERSIONS = 9
// Without a limit, a walk from the oldest version to the newest one may never end.
const WRITES_OF_WALK = 15

// With stages, old versions are also pruned between others: one that a stage has shown until now.
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .options({ versions: { max: MAX_VERSIONS }, workflow: true, softDelete: true })
  .access({ read: true, create: true, update: true, delete: true, restore: true, drafts: true, transition: true })

test.each([seededRandom()])(
  "a walk has every version that stays once, whatever is written and pruned meanwhile (seed $seed)",
  async (random) => {
    await using app = await testApp({ resources: [notes] })
    const history = new History(app, random)
    await history.begin()
    const hasPruned = () => history.prunedDuringWalks > 0
    for (let walk = 0; needsMore(walk, { cases: WALKS, isComplete: hasPruned() }); walk++) await history.walk(walk)

    expect(history.prunedDuringWalks).toBeGreaterThan(0)
  },
  count({ short: 300_000, long: 3_600_000 }),
)

interface Walk {
  readonly stage: string | undefined
  readonly limit: number
  readonly isBackward: boolean
  /** True if nothing is written during the walk. */
  readonly isAtRest: boolean
}

interface Page {
  readonly docs: readonly { readonly versionNumber: number }[]
  readonly totalDocs: number
  readonly startCursor: string | null
  readonly endCursor: string | null
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
}

/** A record that is written and whose versions are read, by a client. */
class History {
  readonly #notes: any
  readonly #random: SeededRandom
  #id = ""
  #isDeleted = false
  #writes = 0
  prunedDuringWalks = 0

  constructor(app: TestApp, random: SeededRandom) {
    this.#notes = app.client().collections["notes"]
    this.#random = random
  }

  async begin(): Promise<void> {
    this.#id = (await this.#notes.create({ text: "first" })).id
    while (this.#writes < MAX_VERSIONS) await this.#write()
  }

  async walk(number: number): Promise<void> {
    const walk = this.#chooseWalk()
    const about = JSON.stringify({ number, walk })
    const before = await this.#readList(walk)
    const found = await this.#readPages(walk, about)
    const after = new Set(await this.#readList(walk))
    const stayed = before.filter((version) => after.has(version))
    this.prunedDuringWalks += before.length - stayed.length

    expect(found, about).toEqual([...new Set(found)].sort((left, right) => right - left))
    expect(found, about).toEqual(expect.arrayContaining(stayed))
    if (walk.isAtRest) expect(found, about).toEqual(before)
  }

  #chooseWalk(): Walk {
    return {
      stage: this.#one([undefined, undefined, "draft", "published"]),
      limit: 1 + this.#random.below(5),
      isBackward: this.#random.below(2) === 0,
      isAtRest: this.#random.below(4) === 0,
    }
  }

  async #readList(walk: Walk): Promise<readonly number[]> {
    return numbersOf(await this.#read(walk, { limit: 1000 }))
  }

  /** Returns the numbers of all pages, the newest first, and writes between the pages. */
  async #readPages(walk: Walk, about: string): Promise<readonly number[]> {
    const found: number[] = []
    const last = this.#writes + (walk.isAtRest ? 0 : WRITES_OF_WALK)
    let cursor: string | null = null
    for (;;) {
      const page: Page = await this.#read(walk, { limit: walk.limit, [walk.isBackward ? "before" : "after"]: cursor })
      if (walk.isAtRest) await this.#checkPage(walk, page, about)
      if (walk.isBackward) found.unshift(...numbersOf(page.docs))
      else found.push(...numbersOf(page.docs))
      if (!(walk.isBackward ? page.hasPrevPage : page.hasNextPage)) return found
      cursor = walk.isBackward ? page.startCursor : page.endCursor
      for (let writes = this.#random.below(4); writes > 0 && this.#writes < last; writes--) await this.#write()
    }
  }

  /** Compares a page with the whole list, of which nothing has changed. */
  async #checkPage(walk: Walk, page: Page, about: string): Promise<void> {
    const whole = await this.#readList(walk)
    const [first, last] = [page.docs[0]?.versionNumber, page.docs.at(-1)?.versionNumber]
    const between = await this.#read(walk, { after: page.startCursor, before: page.endCursor })

    // A record that was never published has no versions of that stage.
    expect(page.docs.length > 0, about).toBe(whole.length > 0)
    expect(between.docs, about).toEqual(page.docs)
    expect([page.totalDocs, page.hasPrevPage, page.hasNextPage], about).toEqual([
      ...[whole.length, whole[0] !== first, whole.at(-1) !== last],
    ])
  }

  #read({ stage }: Walk, range: object): Promise<any> {
    return this.#notes.findVersions({ id: this.#id, includeDeleted: true, ...range }, { stage })
  }

  async #write(): Promise<void> {
    this.#writes++
    const id = this.#id
    const wasDeleted = this.#isDeleted
    this.#isDeleted = !wasDeleted && this.#random.below(8) === 0
    if (wasDeleted) return this.#notes.restoreById({ id })
    if (this.#isDeleted) return this.#notes.deleteById({ id })
    const stage = this.#random.below(12)
    if (stage < 2) return this.#notes.transitionStage({ id, stage: stage === 0 ? "published" : "draft" })
    if (stage === 2) return this.#notes.revertToVersion({ id, version: await this.#versionBefore() })
    await this.#notes.updateById({ id, data: { text: String(this.#writes) } })
  }

  /** Returns the number of the version before the newest one, or of the only version. */
  async #versionBefore(): Promise<number> {
    const [newest = 1] = numbersOf(await this.#notes.findVersions({ id: this.#id, limit: 1 }))
    return Math.max(1, newest - 1)
  }

  #one<Choice>(choices: readonly Choice[]): Choice {
    // The cast is safe: the index is below the length.
    return choices[this.#random.below(choices.length)] as Choice
  }
}

function numbersOf(versions: readonly { readonly versionNumber: number }[]): readonly number[] {
  return versions.map(({ versionNumber }) => versionNumber)
}
