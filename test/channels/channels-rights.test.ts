// @module-tag not-about-shortcuts

import { channel, users } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type IdentityApp, identityApp } from "../support/worlds/identity-app.ts"

const message = z.object({ text: z.string() })
const desk = channel("desk")
  .events({ message })
  .access({ subscribe: ({ session }) => session?.user.role === "editor", publish: true })
  .presence(({ session }) => ({ name: session?.user.name ?? "" }))
const hall = channel("hall").events({ message }).access({ subscribe: true })

let app: IdentityApp
let other: IdentityApp

beforeAll(async () => {
  const parts = { resources: [users().fields(() => ({}))], channels: { desk, hall } }
  app = await identityApp(parts)
  other = await identityApp({ ...parts, database: app.database })
})

afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

let people = 0
const somebody = () => {
  people++
  return app.signIn({ email: `person${people}@example.com`, role: "editor" })
}
const follow = (cookie: string) => {
  const channels = ["desk", "hall"].map((name) => ({ id: name, channel: name }))
  return openEvents({ url: app.url, channels, headers: { cookie } })
}

describe.each([
  { place: "the same process", there: () => app },
  { place: "another process", there: () => other },
])("what happens in $place", ({ there }) => {
  const publish = (key: string, text: string) =>
    there().app.channels[key]?.publish({ event: "message", data: { text } })

  test("a lost role ends the channels that need it before they are told anything more, and no other", async () => {
    const eva = await somebody()
    await using stream = await follow(eva.cookie)
    for (const name of ["desk", "hall"]) await stream.next("subscribed", ({ channelId }) => channelId === name)
    await publish("desk", "for editors")
    await stream.next("channel")

    await there().app.system.collections["users"]?.updateById({ id: eva.id, data: { role: "reader" } })
    await publish("desk", "secret")
    await publish("hall", "for all")

    expect(await stream.next("error")).toMatchObject({ topicId: "desk", code: "FORBIDDEN" })
    expect(await stream.next("channel")).toMatchObject({ channelId: "hall", data: { text: "for all" } })
    expect(JSON.stringify(stream.events)).not.toContain("secret")
  })

  test("a sign-out ends the stream, and with it the presence", async () => {
    const [eva, ben] = [await somebody(), await somebody()]
    await using stream = await follow(eva.cookie)
    await using witness = await follow(ben.cookie)
    const sees =
      (isThere: boolean) =>
      ({ members }: { members: readonly { id: string }[] }) =>
        members.some(({ id }) => id === eva.id) === isThere
    await witness.next("presence", sees(true))

    await there().fetch("/auth/sign-out", { method: "POST", headers: { cookie: eva.cookie, origin: there().origin } })

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    await witness.next("presence", sees(false))
  })

  test("a new name is shown to the others", async () => {
    const eva = await somebody()
    await using stream = await follow(eva.cookie)
    await stream.next("presence", ({ members }) => members.some(({ id }) => id === eva.id))

    await there().app.system.collections["users"]?.updateById({ id: eva.id, data: { name: "Eva B." } })

    await stream.next("presence", ({ members }) =>
      members.some(({ id, data }) => id === eva.id && (data as { name: string }).name === "Eva B."),
    )
  })
})
