import { collection, users } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { type IdentityApp, identityApp, type SignedIn } from "../support/worlds/identity-app.ts"

const reports = collection("reports")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: ({ session }) => session?.user.role === "editor" })
const memberships = collection("memberships")
  .fields(({ f }) => ({ member: f.text().required(), team: f.text().required() }))
  .access({})
const plans = collection("plans")
  .fields(({ f }) => ({ title: f.text().required(), team: f.text().required() }))
  .access({
    read: async ({ session, asSystem }) => {
      if (!session) return false
      const found = await asSystem().collections["memberships"]?.find({ where: { member: session.user.id } })
      return { team: { in: (found?.docs ?? []).map((membership) => membership["team"]) } }
    },
  })
const mottos = collection("mottos")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ read: true })

let app: IdentityApp
let other: IdentityApp

beforeAll(async () => {
  const resources = [users().fields(() => ({})), reports, memberships, plans, mottos]
  app = await identityApp({ resources })
  other = await identityApp({ resources, database: app.database })
})

afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

let people = 0
const somebody = (role = "editor") => {
  people++
  return app.signIn({ email: `person${people}@example.com`, role })
}

const topicOf = (resource: string) => ({ id: resource, resourceType: "collection", resource })

function listen({ cookie }: Pick<SignedIn, "cookie">, ...names: string[]): Promise<EventReader> {
  return openEvents({ url: app.url, topics: names.map(topicOf), headers: { cookie } })
}

const records = () => app.app.system.collections

const total = (data: unknown) => (data as { totalDocs: number }).totalDocs

describe.each([
  { place: "the same process", there: () => app },
  { place: "another process", there: () => other },
])("what happens in $place", ({ there }) => {
  test("is told", async () => {
    await using stream = await listen(await somebody(), "mottos")
    const before = total((await stream.next("snapshot")).data)

    await there().app.system.collections["mottos"]?.create({ text: "Onwards" })

    expect(total((await stream.next("snapshot")).data)).toBe(before + 1)
  })

  test("a sign-out ends the stream", async () => {
    const eva = await somebody()
    await using stream = await listen(eva, "reports", "mottos")
    await stream.next("snapshot")

    await there().fetch("/auth/sign-out", { method: "POST", headers: { cookie: eva.cookie, origin: there().origin } })

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    await stream.ended
  })

  test("a sign-out of somebody's other session does not", async () => {
    const eva = await somebody()
    const elsewhere = await app.fetch("/auth/sign-in/email", {
      method: "POST",
      body: { email: `person${people}@example.com`, password: "correct horse" },
    })
    await using stream = await listen(eva, "mottos")
    await stream.next("snapshot")

    const headers = { authorization: `Bearer ${elsewhere.body.token}` }
    expect((await there().fetch("/auth/sign-out", { method: "POST", headers })).status).toBe(200)
    await records()["mottos"]?.create({ text: "Still here" })

    await stream.next("snapshot")
    expect(stream.events.map(({ name }) => name)).not.toContain("error")
  })

  test.each([
    { name: "a ban", change: { banned: true } },
    { name: "a deletion", change: undefined },
  ])("$name of the user ends the stream", async ({ change }) => {
    const eva = await somebody()
    await using stream = await listen(eva, "mottos")
    await stream.next("snapshot")

    const { users: accounts } = there().app.system.collections
    if (change) await accounts?.updateById({ id: eva.id, data: change })
    else await accounts?.deleteById({ id: eva.id })

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
  })

  test("a lost role ends the topics that need it, and no other, and nothing new is told of them", async () => {
    const eva = await somebody()
    await using stream = await listen(eva, "reports", "mottos")
    await stream.next("snapshot", ({ topicId }) => topicId === "reports")
    await stream.next("snapshot", ({ topicId }) => topicId === "mottos")

    await there().app.system.transaction(async ({ collections }) => {
      await collections["users"]?.updateById({ id: eva.id, data: { role: "reader" } })
      await collections["reports"]?.create({ title: `Only for editors, not for ${eva.id}` })
      await collections["mottos"]?.create({ text: "For all" })
    })

    expect(await stream.next("error")).toMatchObject({ topicId: "reports", code: "FORBIDDEN" })
    await stream.next("snapshot", ({ topicId }) => topicId === "mottos")
    expect(JSON.stringify(stream.events)).not.toContain(`Only for editors, not for ${eva.id}`)
  })

  test("a rule that asks another collection is asked again when that changes", async () => {
    const eva = await somebody()
    await records()["plans"]?.create({ title: "Plan of the desk", team: `desk${people}` })
    await using stream = await listen(eva, "plans")
    expect(total((await stream.next("snapshot")).data)).toBe(0)

    const { memberships: teams } = there().app.system.collections
    const membership = await teams?.create({ member: eva.id, team: `desk${people}` })
    expect(total((await stream.next("snapshot")).data)).toBe(1)
    await teams?.deleteById({ id: String(membership?.["id"]) })

    expect(total((await stream.next("snapshot")).data)).toBe(0)
  })

  test("a deleted key ends the streams that it opened", async () => {
    const eva = await somebody()
    const made = await app.fetch("/auth/api-keys", {
      method: "POST",
      body: { name: "robot" },
      headers: { cookie: eva.cookie, origin: app.origin },
    })
    const headers = { authorization: `Bearer ${made.body.key}` }
    await using stream = await openEvents({ url: app.url, topics: [topicOf("mottos")], headers })
    await stream.next("snapshot")

    const gone = await there().fetch(`/auth/api-keys/${made.body.id}`, {
      method: "DELETE",
      headers: { cookie: eva.cookie, origin: there().origin },
    })

    expect(gone.status).toBe(200)
    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
  })

  test("other topics are set on a stream", async () => {
    const eva = await somebody()
    await using stream = await listen(eva, "mottos")
    const names = await stream.next("session")
    await stream.next("snapshot")

    const body = { ...names, topics: [topicOf("mottos"), topicOf("reports")] }
    const asked = { method: "POST", body, headers: { cookie: eva.cookie, origin: there().origin } }
    // On a machine that stalls, a process may not get the answer of the other in time; then the request is repeated.
    await expect.poll(async () => (await there().fetch("/realtime", asked)).status).toBe(202)

    expect(await stream.next("snapshot")).toMatchObject({ topicId: "reports" })
  })

  test("nobody else sets topics on a stream", async () => {
    await using stream = await listen(await somebody(), "mottos")
    const names = await stream.next("session")
    const { cookie } = await somebody()

    const body = { ...names, topics: [] }
    const asked = { method: "POST", body, headers: { cookie, origin: there().origin } }

    expect((await there().fetch("/realtime", asked)).status).toBe(404)
  })
})
