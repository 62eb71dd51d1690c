// The records that both worlds have, and their owners.

import { MEMBERS, OWNERS } from "./callers.ts"
import { type House, WORDS } from "./content.ts"
import type { Pair } from "./pair.ts"

type Scene = { pair: Pair; house: House }

const BOOKS = 12
const TASKS = 14
const FILES = 5
// Totals are counted up to 1,000 records.
const PILE_RECORDS = 1_300
const REACHES = ["public", "public", "private", "team-1", "team-2"]

export async function addFirstRecords(scene: Scene): Promise<void> {
  await addPeople(scene)
  await addFiles(scene)
  await addTags(scene)
  for (let count = 0; count < BOOKS; count++) await addBook(scene, count)
  for (let count = 0; count < TASKS; count++) await addTask(scene, count)
  await addShelves(scene)
  await addGlobals(scene)
  await addPiles(scene)
  await scene.pair.both(({ system }) => system.collections.beacons.create({ id: "beacon", count: 0 }))
}

async function addPeople({ pair, house }: Scene) {
  for (const id of ["author-1", "author-2", "author-3", "author-4"]) {
    const data = { id, name: `name of ${id}`, code: `code of ${id}`, home: { city: "Brno", zip: "1" } }
    await pair.both(({ system }) => system.collections.authors.create(data))
    house.add("authors", id)
    house.codes.push(data.code)
  }
  for (const [id, people] of Object.entries(MEMBERS)) {
    await pair.both(({ system }) => system.collections.teams.create({ id, name: id }))
    for (const person of people) {
      await pair.bothCreate(({ system }) => system.collections.memberships.create({ person, team: id }))
    }
    house.add("teams", id)
  }
}

async function addFiles({ pair, house }: Scene) {
  for (let count = 0; count < FILES; count++) {
    const owner = OWNERS[count % OWNERS.length] ?? "zoe"
    const fields = { caption: WORDS[count] ?? "", owner, isShown: String(count % 2 === 0) }
    const file = { text: `file ${count}`, name: `file-${count}.txt`, fields }
    const { text } = await pair.ask({ path: "/media/upload", caller: "ed", file })
    const { id, key } = JSON.parse(text)
    house.add("media", id, owner)
    house.fileKeys.push(key)
  }
}

async function addTags({ pair, house }: Scene) {
  for (const id of ["tag-1", "tag-2", "tag-3"]) {
    await pair.both(async ({ system: { collections } }) => {
      await collections.tags.create({ id, name: id, weight: 1, isListed: id !== "tag-3" }, { stage: "published" })
      await collections.tags.updateById({ id, data: { name: `sk ${id}` } }, { locale: "sk" })
      await collections.tags.transitionStage({ id, stage: "published" })
    })
    house.add("tags", id)
  }
}

async function addBook({ pair, house }: Scene, count: number) {
  const { chance } = pair
  const [id, owner, isOpen] = [`book-${count}`, OWNERS[count % OWNERS.length] ?? "zoe", chance.is(40)]
  const data = { ...house.book(), id, owner, isOpen, cost: 1 }
  const { title, genre = null, sold = null } = house.book()
  const [isShown, isDeleted] = [chance.is(75), count > 7 && chance.is(40)]
  await pair.both(async (world) => {
    const { books, editions } = world.system.collections
    await books.create(world.resolve(data))
    await editions.create({ id: `of-${id}`, pages: count, book: id, owner })
    await books.updateById({ id, data: { title, genre, sold } }, { locale: "sk" })
    if (isShown) await books.transitionStage({ id, stage: "published" })
    if (isDeleted) await books.deleteById({ id })
  })
  house.add("books", id, owner)
  house.add("editions", `of-${id}`, owner)
  if (!isDeleted) house.books.push({ id, owner, isOpen })
}

async function addTask({ pair, house }: Scene, count: number) {
  const [owner, reach] = [OWNERS[count % OWNERS.length] ?? "zoe", REACHES[count % REACHES.length] ?? "public"]
  const data = { ...house.task(), code: `code of task ${count}`, owner, wage: 1, ...reachOf(reach) }
  const id = await pair.bothCreate((world) => world.system.collections.tasks.create(world.resolve(data)))
  house.add("tasks", id, owner)
  house.tasks.push({ id, owner, reach })
  if (reach === "public") house.codes.push(data.code)
}

/** Returns the fields that make a task visible to the intended callers. */
export function reachOf(reach: string): { isPublic: boolean; team: string | null } {
  return { isPublic: reach === "public", team: reach.startsWith("team") ? reach : null }
}

async function addShelves({ pair, house }: Scene) {
  for (const id of ["shelf-1", "shelf-2", "shelf-3"]) {
    await pair.both(async ({ system: { collections } }) => {
      await collections.shelves.create({ id, room: "north" })
      if (id !== "shelf-3") await collections.boxes.create({ id: `box-${id}`, label: "full", shelf: id })
    })
    house.add("shelves", id)
  }
  for (const id of ["box-shelf-1", "box-shelf-2"]) house.add("boxes", id)
}

async function addGlobals({ pair, house }: Scene) {
  const [lead, task] = [house.books[0]?.id, house.tasks[0]?.id]
  await pair.both(async (world) => {
    const { home, settings } = world.system.globals
    await home.update(world.resolve({ motto: "motto", lead, pick: task }))
    await home.transitionStage({ stage: "published" })
    await settings.update(world.resolve({ name: "site", isOpen: false, task }))
  })
}

/** Adds the same visible records to both worlds, with hidden values and hidden records of their own. */
async function addPiles({ pair }: Scene) {
  const { chance } = pair
  await pair.both(async ({ query, names: { hidden } }) => {
    const hiddenRecords = { stones: chance.below(400), gravel: chance.below(400), pebbles: 0 }
    const secret = "x".repeat(chance.below(60))
    const factor = 1 + chance.below(9)
    for (const [name, more] of Object.entries(hiddenRecords)) {
      await query(insertPile(name, hidden), [PILE_RECORDS, PILE_RECORDS + more, secret, factor])
      // Estimates are made of the statistics of all records, the hidden ones included.
      await query(`analyze ${name}`, [])
    }
  })
}

function insertPile(name: string, hidden: string) {
  const isDeleted = name === "stones" ? ["deletedAt", ", case when n > $1::int then now() end"] : ["", ""]
  const columns = ["id", "size", "hue", "isShown", "isLight", "weight", hidden, isDeleted[0] ?? ""].filter(Boolean)
  return `insert into ${name} (${columns.map((column) => `"${column}"`).join(", ")})
    select '${name}-' || n, nullif(n % 40, 7), (array['novel', 'poem', 'essay', null])[n % 4 + 1], n <= $1::int, n % 3 = 0,
      case when n % 3 = 0 then n % 11 else n * $4::int % 13 end, $3${isDeleted[1]}
    from generate_series(1, $2::int) n`
}
