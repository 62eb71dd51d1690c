import { createClient } from "kit/client"
import { expect, test } from "vitest"
import { cookieOf } from "../../support/worlds/identity-app.ts"
import type { Served } from "./conformance.ts"
import { type HostWorld, INVITED } from "./host-world.ts"

const signedIn = new WeakMap<HostWorld, Promise<{ cookie: string; headers: Headers }>>()

/** Signs the only user of the app in through the host. */
export function signIn({ world, url }: Served): Promise<{ cookie: string; headers: Headers }> {
  const known = signedIn.get(world) ?? signUpAndIn(url)
  signedIn.set(world, known)
  return known
}

async function signUpAndIn(url: string): Promise<{ cookie: string; headers: Headers }> {
  const body = JSON.stringify({ email: "ann@example.com", password: "correct horse", name: "Ann" })
  const init = { method: "POST", body, headers: { "content-type": "application/json" } }
  await fetch(`${url}/auth/sign-up/email`, init)
  const { headers } = await fetch(`${url}/auth/sign-in/email`, init)
  return { cookie: cookieOf(headers), headers }
}

interface Notes {
  create(data: object): Promise<{ id: string; views: bigint; due: Date }>
  find(options: object): Promise<{ totalDocs: number; docs: { title: string }[] }>
  updateById(options: object): Promise<{ title: string }>
  deleteById(options: object): Promise<{ success: boolean }>
}

/** A real client; its types are written here by hand. */
function notesOf({ origin }: Served, cookie?: string): Notes {
  const client = createClient({ baseURL: origin, basePath: "/api", ...(cookie && { headers: { cookie } }) })
  // Without generated types the client has no names; the names of this app are written above.
  return (client.collections as unknown as { notes: Notes }).notes
}

export function describeRecords(served: () => Served): void {
  test("serves the real client: records come and go, with dates and big integers", async () => {
    const notes = notesOf(served(), (await signIn(served())).cookie)

    const made = await notes.create({ title: "one", views: 2n ** 60n, due: new Date(5) })
    const changed = await notes.updateById({ id: made.id, data: { title: "two" } })
    const page = await notes.find({ where: { id: { in: [made.id] }, title: { startsWith: "tw" } } })
    const gone = await notes.deleteById({ id: made.id })

    expect(made).toMatchObject({ views: 2n ** 60n, due: new Date(5) })
    expect(changed.title).toBe("two")
    expect(page).toMatchObject({ totalDocs: 1, docs: [{ title: "two" }] })
    expect(gone.success).toBe(true)
  })

  test("acts as the session of the request and never as the system", async () => {
    const anonymous = notesOf(served()).create({ title: "by nobody" })

    await expect(anonymous).rejects.toMatchObject({ status: 401 })
    const { headers } = await signIn(served())
    expect(headers.getSetCookie().join()).toContain("HttpOnly")
  })

  test("sets several cookies at once", async () => {
    const answer = await fetch(`${served().url}/cookies`)

    expect(answer.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/; HttpOnly"])
  })

  test("answers HEAD with the head of GET", async () => {
    const answer = await fetch(`${served().url}/notes`, { method: "HEAD" })

    expect([answer.status, await answer.text()]).toEqual([200, ""])
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  })

  test("answers the preflight of an invited origin, and of no other", async () => {
    const preflight = (origin: string) =>
      fetch(`${served().url}/notes`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" },
      })

    const invited = await preflight(INVITED)
    const foreign = await preflight("https://evil.test")

    expect([invited.status, invited.headers.get("access-control-allow-origin")]).toEqual([204, INVITED])
    expect(invited.headers.get("access-control-allow-methods")).toContain("POST")
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull()
  })

  test("refuses a write with cookies from a foreign page", async () => {
    const { cookie } = await signIn(served())
    const headers = { cookie, origin: "https://evil.test", "content-type": "application/json" }

    const answer = await fetch(`${served().url}/notes`, { method: "POST", body: '{"title":"x"}', headers })

    expect(answer.status).toBe(403)
  })

  test("answers twenty at a time", async () => {
    const { cookie } = await signIn(served())
    const notes = notesOf(served(), cookie)

    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => notes.create({ title: `n${index}` })))

    expect(new Set(made.map(({ id }) => id)).size).toBe(20)
  })
}
