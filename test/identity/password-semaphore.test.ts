// @module-tag experiment

import { collection } from "kit"
import { beforeEach, expect, test } from "vitest"
import { hashAsInProduction, type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true, create: true })

const media = collection("media")
  .fields(({ f }) => ({ caption: f.text() }))
  .upload({ maxSize: 1024 })
  .access({ read: true, create: true })

const SIGN_INS = 50

// The tests are about what the work of hashing holds up.
beforeEach(hashAsInProduction)

/** Counts how many of the pending requests have ended. */
class Crowd {
  ended = 0
  readonly statuses: number[] = []
  readonly all: Promise<unknown>
  readonly #first: Promise<unknown>

  constructor(requests: readonly Promise<{ status: number }>[]) {
    const counted = requests.map(async (request) => {
      const { status } = await request
      this.ended += 1
      this.statuses.push(status)
    })
    this.all = Promise.all(counted)
    this.#first = Promise.race(counted)
  }

  async hasBegun(): Promise<void> {
    await this.#first
  }
}

const post = (app: IdentityApp, path: string, body: object, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: "POST", body, headers })

const signInAs = (app: IdentityApp, email: string, from?: string) =>
  post(app, "/auth/sign-in/email", { email, password: PASSWORD }, from ? { "x-forwarded-for": from } : {})

async function storedFile(app: IdentityApp): Promise<string> {
  const form = new FormData()
  form.append("file", new Blob(["hello"]), "a.txt")
  const response = await fetch(`${app.url}/media/upload`, { method: "POST", body: form })
  const stored = (await response.json()) as { url: string }
  return new URL(stored.url, app.origin).href
}

test("a small file and a read are answered while many people sign in", async () => {
  await using app = await identityApp({ resources: [posts, media] })
  await app.signIn({ email: "eva@example.com" })
  await post(app, "/posts", { title: "one" })
  const file = await storedFile(app)

  // Half of the names have no account; both kinds wait in the same queue.
  const names = Array.from({ length: SIGN_INS }, (_, index) => (index % 2 === 0 ? "eva" : "nobody"))
  const told = new Set<string>()
  const crowd = new Crowd(
    names.map(async (name) => {
      const answer = await signInAs(app, `${name}@example.com`)
      told.add(`${name} ${answer.status}`)
      return answer
    }),
  )
  await crowd.hasBegun()
  const text = await (await fetch(file)).text()
  const page = await app.fetch("/posts")
  const endedBefore = crowd.ended
  await crowd.all

  expect(text).toBe("hello")
  expect(page.body.totalDocs).toBe(1)
  expect(endedBefore).toBeLessThan(SIGN_INS / 2)
  // On a machine that stalls a sign-in may be 503; its answer is never that of the other kind.
  told.delete("eva 503")
  told.delete("nobody 503")
  expect([...told].sort()).toEqual(["eva 200", "nobody 401"])
})

test("people who sign up hold no connection while they wait", async () => {
  await using app = await identityApp({
    resources: [posts],
    config: { auth: { signUp: true }, db: { maxConnections: 1 } },
  })

  const emails = Array.from({ length: 20 }, (_, index) => `p${index}@example.com`)
  const crowd = new Crowd(
    emails.map((email) => post(app, "/auth/sign-up/email", { name: "P", email, password: PASSWORD })),
  )
  await crowd.hasBegun()
  const page = await app.fetch("/posts")
  const endedBefore = crowd.ended
  await crowd.all

  expect(page.status).toBe(200)
  expect(endedBefore).toBeLessThan(10)
  expect(crowd.statuses).toEqual(emails.map(() => 200))
})

test("nobody waits for all sign-ins of another address", async () => {
  await using app = await identityApp({ config: { limits: { rate: false, trustedProxies: 1 } } })
  await app.signIn({ email: "eva@example.com" })

  const crowd = new Crowd(Array.from({ length: SIGN_INS }, () => signInAs(app, "nobody@example.com", "192.0.2.1")))
  await crowd.hasBegun()
  const other = await signInAs(app, "eva@example.com", "192.0.2.2")
  const endedBefore = crowd.ended
  await crowd.all

  expect(other.status).toBe(200)
  expect(endedBefore).toBeLessThan(SIGN_INS / 2)
})

test("a sign-in that is one too many is asked to come back, and is no wrong password", async () => {
  await using app = await identityApp({
    config: {
      limits: { rate: { signIn: { requests: 100, windowSeconds: 60 } }, passwords: { atOnce: 1, waitingPerCaller: 1 } },
    },
  })
  await app.signIn({ email: "eva@example.com" })

  // An account allows 20 wrong passwords, and each attempt counts until it has ended.
  const many = () => Promise.all(Array.from({ length: 15 }, () => signInAs(app, "eva@example.com")))
  const answers = [...(await many()), ...(await many())]

  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, body, headers } of refused) {
    expect(status).toBe(503)
    expect(body.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("signing in") })
    expect(headers.get("retry-after")).toBe("1")
  }
  expect((await signInAs(app, "eva@example.com")).status).toBe(200)
})
