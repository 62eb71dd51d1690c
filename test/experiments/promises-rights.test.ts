// @module-tag experiment
// @module-tag full-count

import { collection, users } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type IdentityApp, identityApp, type SignedIn } from "../support/worlds/identity-app.ts"

const PEOPLE = count({ short: 12, long: 150 })
const PROMISED_MS = 5_000

const reports = collection("reports")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: ({ session }) => session?.user.role === "editor" })
const resources = [users().fields(() => ({})), reports]
const topics = [{ id: "reports", resourceType: "collection", resource: "reports", limit: 1 }]

/** The rights that a user loses, on any instance, and the error with which the topic must end. */
const LOSSES = {
  "signed out": (there: IdentityApp, { cookie }: SignedIn) =>
    there.fetch("/auth/sign-out", { method: "POST", headers: { cookie, origin: there.origin } }),
  banned: (there: IdentityApp, { id }: SignedIn) =>
    there.app.system.collections["users"]?.updateById({ id, data: { banned: true } }),
  "of another role": (there: IdentityApp, { id }: SignedIn) =>
    there.app.system.collections["users"]?.updateById({ id, data: { role: "reader" } }),
}
const KINDS = Object.keys(LOSSES) as (keyof typeof LOSSES)[]

test("P10: whoever loses a session or a right during a stream is sent nothing more within five seconds", async () => {
  const random = seededRandom()
  await using app = await identityApp({ resources })
  await using other = await identityApp({ resources, database: app.database })
  const watchers: { person: SignedIn; stream: EventReader }[] = []
  for (let number = 0; number < PEOPLE; number++) {
    const person = await app.signIn({ email: `editor${number}@example.com`, role: "editor" })
    const stream = await openEvents({ url: app.url, topics, headers: { cookie: person.cookie } })
    await stream.next("snapshot")
    watchers.push({ person, stream })
  }
  const writing = writeUntilTold(app)

  const delays: number[] = []
  for (const { person, stream } of watchers) {
    const lose = LOSSES[KINDS[random.below(KINDS.length)] as keyof typeof LOSSES]
    await lose(random.below(2) === 0 ? app : other, person)
    const lostAt = performance.now()
    await stream.next("error")
    delays.push(Math.round(performance.now() - lostAt))
  }
  await writing.stop()

  delays.sort((a, b) => a - b)
  const note = JSON.stringify({ seed: random.seed, p50: delays[PEOPLE >> 1], max: delays.at(-1) })
  console.log(note)
  const late = watchers.map(({ stream: { events } }) =>
    events.slice(events.findIndex(({ name }) => name === "error")).filter(({ name }) => name === "snapshot"),
  )
  expect(late.flat(), note).toEqual([])
  expect(delays.at(-1), note).toBeLessThan(PROMISED_MS)
  for (const { stream } of watchers) await stream[Symbol.asyncDispose]()
})

/** Keeps writing, so that there is always an event that could still be sent by mistake. */
function writeUntilTold({ app }: IdentityApp) {
  let isOver = false
  const writing = (async () => {
    for (let number = 0; !isOver; number++) {
      await app.system.collections["reports"]?.create({ title: `report ${number}` })
    }
  })()
  return {
    stop: () => {
      isOver = true
      return writing
    },
  }
}
