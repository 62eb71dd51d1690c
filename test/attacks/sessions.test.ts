import { createHmac } from "node:crypto"
import { signedCookieSessions } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AttackWorld, attackWorld } from "../support/worlds/attack-world.ts"
import { sessions } from "../support/worlds/test-app.ts"

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const TEST_SECRET = "a secret for tests only"

/** Signs any payload with the right secret. */
function signed(payload: string): string {
  return `kit_session=${payload}.${createHmac("sha256", TEST_SECRET).update(payload).digest("base64url")}`
}

function create(headers: Record<string, string>) {
  return world.attack({ method: "POST", path: "/posts", body: '{"title":"x"}', headers })
}

describe("a session that nobody has signed", () => {
  const forgeries: readonly (readonly [string, () => string])[] = [
    ["rubbish", () => "kit_session=rubbish"],
    ["an empty value", () => "kit_session="],
    ["only a dot", () => "kit_session=."],
    ["no signature", () => sessions.sign(world.admin).split(".")[0] ?? ""],
    ["an empty signature", () => `${sessions.sign(world.admin).split(".")[0]}.`],
    ["half a signature", () => sessions.sign(world.admin).slice(0, -20)],
    ["a signature with something behind it", () => `${sessions.sign(world.admin)}x`],
    ["a third part", () => `${sessions.sign(world.admin)}.x`],
    [
      "the signature of another session",
      () => `kit_session=${encode(world.admin)}.${sessions.sign(world.alice).split(".")[1]}`,
    ],
    ["another secret", () => signedCookieSessions({ secret: "a secret of somebody else" }).sign(world.admin)],
    ["a token without an algorithm", () => `kit_session=${encode({ alg: "none" })}.${encode(world.admin)}.`],
    ["a name that only ends alike", () => sessions.sign(world.admin).replace("kit_session", "xkit_session")],
    ["a token of 10 KB", () => `kit_session=${"a".repeat(10_240)}.${"b".repeat(43)}`],
    ["quotes around it", () => sessions.sign(world.admin).replace("=", '="').concat('"')],
  ]

  test.each(forgeries)("with %s, is none", async (_name, cookie) => {
    const answer = await create({ cookie: cookie() })

    expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } })
  })

  test.each([
    "Bearer rubbish",
    `Bearer ${"x".repeat(10_240)}`,
    "Basic YWRtaW46YWRtaW4=",
    "Bearer eyJhbGciOiJub25lIn0.eyJ1c2VyIjp7fX0.",
  ])("the header Authorization: %s gives no session", async (authorization) => {
    expect((await create({ authorization })).status).toBe(401)
  })
})

describe("a signed value that is no session", () => {
  test.each([
    ["null", encode(null)],
    ["text that is not JSON", Buffer.from("hello").toString("base64url")],
    ["a number", encode(5)],
    ["a list", encode([])],
    ["no user", encode({})],
    ["a user without an id", encode({ user: {} })],
    ["a user whose id is no text", encode({ user: { id: { ne: null } } })],
    ["an end that is no date", encode({ user: { id: "x" }, session: { id: "s", expiresAt: "never" } })],
  ])("%s is none", async (_name, payload) => {
    const answer = await create({ cookie: signed(payload) })

    expect(answer.status).toBe(401)
  })
})

describe("the end of a session", () => {
  const at = new Date("2026-05-04T10:30:00Z")
  const provider = (now: Date) => signedCookieSessions({ secret: TEST_SECRET, now: () => now })
  const read = (now: Date) => {
    const cookie = sessions.sign({ user: { id: "x" }, session: { id: "s", expiresAt: at } })
    return provider(now).read({ get: () => cookie })
  }

  test("is kept to the millisecond, and read back as a date", async () => {
    const before = await read(new Date(at.getTime() - 1))
    const after = await read(at)

    expect(before?.session?.expiresAt).toEqual(at)
    expect(after).toBeNull()
  })
})

test.each(["", "short", "x".repeat(15)])("the secret %j is too short to sign with", (secret) => {
  expect(() => signedCookieSessions({ secret })).toThrow("at least 16 characters")
})

describe("other origins", () => {
  test.each(["/posts", "/posts/count", "/globals/settings", "/health", "/_kit/health", "/nope"])(
    "%s allows none of them, whatever they say",
    async (path) => {
      for (const origin of ["https://evil.test", "null", "http://127.0.0.1", "file://"]) {
        for (const method of ["GET", "OPTIONS"]) {
          const answer = await world.attack({
            method,
            path,
            headers: { origin, "access-control-request-method": "PATCH" },
          })

          expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
        }
      }
    },
  )
})
