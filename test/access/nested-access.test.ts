import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { heard, MISSING, type NestedWorld, nestedWorld, resetRules, rules } from "../support/worlds/nested-world.ts"

let world: NestedWorld
let room: string
let box: string
let shelf: string
/** A thing that is related to the box in every way, and a thing that is not related to it. */
let inside: string
let outside: string
let unique = 0

beforeAll(async () => {
  world = await nestedWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  resetRules()
  // The tables contain nothing more, so that a fingerprint of them is cheap.
  await world.clear()
  unique += 1
  room = await world.add("rooms")
  box = await world.add("boxes", { room })
  shelf = await world.add("shelves", { keeper: "alice" })
  inside = await world.add("things", { name: `inside ${unique}`, box, shelf, boxes: [box] })
  outside = await world.add("things", { name: `outside ${unique}`, shelf })
  await world.app.app.system.collections["boxes"]?.updateById({ id: box, data: { main: inside } })
  heard.length = 0
})

type Need = "create" | "update" | "delete" | "read"

interface Case {
  readonly relation: "things" | "linked" | "main"
  readonly name: string
  /** The right on the target that the write requires. */
  readonly need: Need
  operation(): unknown
  /** The write needs an existing related record, so a new box cannot do it. */
  readonly isOfRelated?: boolean
}

const made = () => ({ name: `made ${unique}`, note: "please", shelf })
const choice = (name: string) => ({ connectOrCreate: { where: { name: `${name} ${unique}` }, create: made() } })
const changed = () => ({ update: { id: inside, data: { note: "please" } } })

const CASES: readonly Case[] = [
  { relation: "things", name: "connect", need: "update", operation: () => ({ connect: outside }) },
  { relation: "things", name: "create", need: "create", operation: () => ({ create: made() }) },
  { relation: "things", name: "connectOrCreate, found", need: "update", operation: () => choice("outside") },
  { relation: "things", name: "connectOrCreate, new", need: "create", operation: () => choice("made") },
  { relation: "things", name: "set", need: "update", operation: () => ({ set: [outside] }) },
  { relation: "things", name: "a list of ids", need: "update", operation: () => [outside] },
  { relation: "things", name: "set []", need: "update", operation: () => [], isOfRelated: true },
  {
    relation: "things",
    name: "disconnect",
    need: "update",
    operation: () => ({ disconnect: inside }),
    isOfRelated: true,
  },
  { relation: "things", name: "delete", need: "delete", operation: () => ({ delete: inside }), isOfRelated: true },
  { relation: "things", name: "update", need: "update", operation: changed, isOfRelated: true },
  { relation: "linked", name: "connect", need: "read", operation: () => ({ connect: [outside] }) },
  { relation: "linked", name: "create", need: "create", operation: () => ({ create: [made()] }) },
  { relation: "linked", name: "connectOrCreate, found", need: "read", operation: () => choice("outside") },
  { relation: "linked", name: "connectOrCreate, new", need: "create", operation: () => choice("made") },
  { relation: "linked", name: "set", need: "read", operation: () => ({ set: [outside] }) },
  { relation: "linked", name: "a list of ids", need: "read", operation: () => [outside] },
  {
    relation: "linked",
    name: "disconnect",
    need: "read",
    operation: () => ({ disconnect: inside }),
    isOfRelated: true,
  },
  { relation: "linked", name: "delete", need: "delete", operation: () => ({ delete: inside }), isOfRelated: true },
  { relation: "linked", name: "update", need: "update", operation: changed, isOfRelated: true },
  { relation: "main", name: "an id", need: "read", operation: () => outside },
  { relation: "main", name: "connect", need: "read", operation: () => ({ connect: { id: outside } }) },
  { relation: "main", name: "create", need: "create", operation: () => ({ create: made() }) },
  { relation: "main", name: "connectOrCreate, found", need: "read", operation: () => choice("outside") },
  { relation: "main", name: "connectOrCreate, new", need: "create", operation: () => choice("made") },
]

/** The paths to a box whose relation is written. */
const WAYS = {
  "of a box": (data: object) => ["PATCH", `/boxes/${box}`, data],
  "of a new box": (data: object) => ["POST", "/boxes", data],
  "of a box in a room": (data: object) => ["PATCH", `/rooms/${room}`, { boxes: { update: { id: box, data } } }],
  "of a new box in a room": (data: object) => ["PATCH", `/rooms/${room}`, { boxes: { create: data } }],
  "of a new box in a new room": (data: object) => ["POST", "/rooms", { boxes: { create: [data] } }],
  "of a new box of a new room": (data: object) => ["POST", "/rooms", { mainBox: { create: data } }],
  "of a new box linked to a room": (data: object) => ["PATCH", `/rooms/${room}`, { linkedBoxes: { create: data } }],
  "of a box found by a room": (data: object) => {
    const choices = { where: { id: MISSING }, create: data }
    return ["PATCH", `/rooms/${room}`, { linkedBoxes: { connectOrCreate: choices } }]
  },
  "of a box in a batch": (data: object) => ["POST", "/boxes/update-batch", { updates: [{ id: box, data }] }],
  "of all boxes of a room": (data: object) => ["PATCH", "/boxes", { where: { room }, data }],
} satisfies Record<string, (data: object) => [string, string, unknown]>

const ROWS = CASES.flatMap((one) =>
  Object.entries(WAYS)
    .filter(([way]) => !(one.isOfRelated && way.includes("new box")) && !(one.isOfRelated && way.includes("found by")))
    .map(([way, request]) => ({ ...one, way, request: () => request({ [one.relation]: one.operation() }) })),
)
const WRITES = ROWS.filter(({ need }) => need !== "read")
const READS = ROWS.filter(({ need }) => need === "read")

const ofAlice = () => ({ shelf: { is: { keeper: "alice" } } })
const ofBob = () => ({ shelf: { is: { keeper: "bob" } } })

describe("the rule of the target decides", () => {
  test.each(WRITES)("$relation: $name $way needs the right to $need, and no other", async ({ name, need, request }) => {
    const [method, path, body] = request()
    const others = (["create", "update", "delete"] as const).filter((other) => other !== need)
    const notes: unknown[] = []

    rules[need] = ({ input }) => void notes.push(input?.["note"])
    const byRule = await world.refused(method, path, body)
    rules[need] = ofBob
    const byRow = await world.refused(method, path, body)
    rules[need] = ofAlice
    for (const other of others) rules[other] = () => false
    const allowed = await world.send(method, path, body)

    expect(byRule).toMatchObject({ status: 403, error: { code: "FORBIDDEN" } })
    expect(byRow).toMatchObject({ status: 403, error: { code: "FORBIDDEN" } })
    expect(allowed.status).toBeLessThan(300)
    expect(heard).toContain("committed")
    expect(notes).toEqual([need === "create" || name === "update" ? "please" : undefined])
  })

  test.each(READS)("$relation: $name $way needs the right to read alone", async ({ request }) => {
    for (const other of ["create", "update", "delete"] as const) rules[other] = () => false
    rules.read = ofAlice
    const [method, path, body] = request()
    const before = await fingerprint(world.app)

    const allowed = await world.send(method, path, body)

    expect(allowed.status).toBeLessThan(300)
    expect(await fingerprint(world.app)).not.toEqual(before)
  })
})

describe("a target that the caller may not read is one that does not exist", () => {
  const named = ROWS.filter(({ name }) => !name.includes("connectOrCreate") && name !== "create" && name !== "set []")

  test.each(named)("$relation: $name $way", async ({ request }) => {
    const [method, path, body] = request()
    const missing = JSON.parse(JSON.stringify(body).replaceAll(inside, MISSING).replaceAll(outside, MISSING))
    const withoutRule = await world.refused(method, path, missing)
    rules.read = ofBob

    const noSuch = await world.refused(method, path, missing)
    const hidden = await world.refused(method, path, body)

    expect(hidden.status).toBe(400)
    expect([hidden, hidden]).toEqual([noSuch, withoutRule])
  })
})
