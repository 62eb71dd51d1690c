// The documented differences: a 409 reveals that a unique value or an id is taken, or that a hidden record prevents a
// delete. It names nothing that the caller may not read, and the worlds are made equal again.

import type { Caller } from "./callers.ts"
import type { House } from "./content.ts"
import type { Pair } from "./pair.ts"
import type { Request, World } from "./world.ts"

type Scene = { pair: Pair; house: House }

export class Exceptions {
  /** The number of allowed differences, by kind. */
  counts = { unique: 0, id: 0, restrict: 0 }

  readonly pair
  readonly house

  constructor({ pair, house }: Scene) {
    this.pair = pair
    this.house = house
  }

  async provoke(caller: Caller) {
    const { chance } = this.pair
    await chance.of([() => this.#takeValue(caller), () => this.#takeId(caller), () => this.#removeHeld(caller)])()
  }

  async #takeValue(caller: Caller) {
    const { chance } = this.pair
    const code = chance.of(this.house.hiddenCodes)
    if (code === undefined) return
    const record = { name: "taken", owner: caller, rank: 1, code }
    const nested = { where: { code }, create: record }
    const request = chance.is(60)
      ? { caller, path: "/tasks", body: record }
      : { caller, path: "/authors", body: { id: "taken", name: "taken", tasks: { connectOrCreate: nested } } }
    const isTaken = (text: string) => /"path":"(tasks\.connectOrCreate\.0\.create\.)?code"/.test(text)
    await this.#provoke("unique", request, isTaken)
  }

  async #takeId(caller: Caller) {
    const id = this.pair.chance.of((this.house.hidden["books"] ?? []).slice(1))
    if (id === undefined) return
    const request = { caller, path: "/books", body: { id, title: "taken", owner: caller } }
    await this.#provoke("id", request, (text) => text.includes('"path":"id"'))
  }

  /** A record of a collection that no caller reads prevents the delete of a shelf. */
  async #removeHeld(caller: Caller) {
    const { pair, house } = this
    const id = house.fresh("held")
    await pair.both(({ system }) => system.collections.shelves.create({ id, room: "held" }))
    await pair.only(({ system, names }) => system.collections[names.vault].create({ text: "holds", shelf: id }))
    const request = pair.chance.of([
      { caller, method: "DELETE", path: `/shelves/${id}` },
      { caller, path: "/shelves/delete-many", body: { where: { id } } },
    ])
    await this.#provoke("restrict", request, (text) => !/vault/.test(text))
    await pair.both(async ({ system, names }) => {
      await system.collections[names.vault].deleteMany({ where: { shelf: id } })
      await system.collections.shelves.deleteMany({ where: { id } })
    })
  }

  async #provoke(kind: "unique" | "id" | "restrict", request: Request, isFair: (text: string) => boolean) {
    const answers = await this.pair.askAlone(request)
    for (const { status, text } of answers) {
      const isAllowed = status < 300 || (status === 409 && isFair(text))
      if (!isAllowed) this.pair.faults.push(`${status} ${text} to ${JSON.stringify(request)}, which may be 409`)
    }
    if (answers[0]?.status !== answers[1]?.status) this.counts[kind] += 1
    await this.pair.both((world) => undo(world, request))
  }
}

/** Removes the record from the world in which the create succeeded. */
async function undo({ system: { collections } }: World, { path, body }: Request) {
  const { code, id }: Record<string, any> = body ?? {}
  if (path === "/authors") await purge(collections.authors, { id })
  if (path === "/authors") await purge(collections.tasks, { name: "taken" })
  if (path === "/tasks") await purge(collections.tasks, { code, name: "taken" })
  if (path === "/books") await purge(collections.books, { id, title: "taken" })
}

async function purge(records: any, where: Record<string, any>) {
  const { docs } = await records.find({ where, columns: { id: true }, includeDeleted: true })
  for (const { id } of docs) {
    await records.deleteById({ id })
    await records.purgeById({ id })
  }
}
