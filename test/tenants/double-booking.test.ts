// @module-tag not-about-engine
// @module-tag experiment

import { cp } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Session } from "kit"
import { expect, onTestFinished, test } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { sessions } from "../support/worlds/test-app.ts"

const CALLERS = 30
/** Each overlaps with the next in one night, so that at most every second one can be booked. */
const STAYS = [
  { from: "2026-08-01", to: "2026-08-04" },
  { from: "2026-08-03", to: "2026-08-06" },
  { from: "2026-08-05", to: "2026-08-08" },
]

test("of thirty callers over two processes, one gets each night", async () => {
  const { addresses, database } = await twoProcesses()
  const property = await listedHouse(addresses[0])

  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, number) =>
      post(String(addresses[number % 2]), "/bookings", {
        as: `guest ${number}`,
        body: { property, guest: `guest ${number}`, ...STAYS[0] },
      }),
    ),
  )

  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(CALLERS - 1)
  const winner = answers.find(({ status }) => status === 201)
  expect(await database.query(`select id from bookings`)).toEqual([{ id: winner?.body.id }])
  expect(await database.query(`select count(*)::int as nights from nights`)).toEqual([{ nights: 3 }])
})

test("of thirty callers with stays that overlap, no two get the same night, and every other booking is whole", async () => {
  const { addresses, database } = await twoProcesses()
  const property = await listedHouse(addresses[1])

  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, number) =>
      post(String(addresses[number % 2]), "/bookings", {
        as: `guest ${number}`,
        body: { property, guest: `guest ${number}`, ...STAYS[number % STAYS.length] },
      }),
    ),
  )

  const booked = answers.filter(({ status }) => status === 201)
  expect([1, 2]).toContain(booked.length)
  expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(
    Array(CALLERS - booked.length).fill(409),
  )
  const taken = await database.query(`select booking, count(*)::int as nights from nights group by booking order by 1`)
  expect(taken).toEqual(booked.map(({ body }) => ({ booking: body.id, nights: 3 })).sort(byBooking))
})

function byBooking(one: { booking: string }, other: { booking: string }): number {
  return one.booking < other.booking ? -1 : 1
}

async function twoProcesses() {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const folder = await appFolder({})
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const rental = resolve("test/tenants/rental")
  await cp(join(rental, "src"), join(folder.path, "src"), { recursive: true })
  await cp(join(rental, "kit.config.ts"), join(folder.path, "kit.config.ts"))
  const servers = [0, 1].map(
    () => new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } }),
  )
  for (const server of servers) onTestFinished(async () => void (await server.stop()))
  const addresses: string[] = []
  for (const server of servers) addresses.push(String((await server.printed(/http:\/\/localhost:\d+/))[0]))
  return { addresses, database }
}

async function listedHouse(address: string | undefined): Promise<string> {
  const as = "olga"
  const send = async (path: string, body: object) => (await post(String(address), path, { as, body })).body.id
  const organisation = await send("/organisations", { name: "Lake houses", createdBy: as })
  await send("/memberships", { organisation, user: as, role: "owner" })
  return send("/properties", { title: "House", organisation, isListed: true })
}

async function post(address: string, path: string, { as, body }: { as: string; body: object }) {
  const session: Session = { user: { id: as } }
  const headers = { "content-type": "application/json", cookie: sessions.sign(session) }
  const response = await fetch(`${address}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as any }
}
