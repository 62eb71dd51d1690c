import { connect, type Socket } from "node:net"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readAnswer } from "../support/processes/raw-http.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const anyone = { read: true, create: true, update: true, delete: true } as const
const signedIn: Session = { user: { id: "a-user" } }

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.textarea(), size: f.number().integer().validate(checkSlowly) }))
  .access(anyone)

const events: string[] = []

function checkSlowly(): true {
  events.push("check")
  const end = performance.now() + 0.3
  while (performance.now() < end) Math.random()
  return true
}

/** Only the system writes these: some rules are missing, the others deny. */
const closed = collection("closed")
  .fields(({ f }) => ({ text: f.textarea() }))
  .options({ versions: true, workflow: true })
  .access({ create: false })

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** The rule waits until the test releases it. */
let gate = deferred()
let inRule = deferred()
const gated = collection("gated")
  .fields(({ f }) => ({ text: f.textarea() }))
  .access({
    read: true,
    create: async () => {
      inRule.resolve()
      await gate.promise
      return true
    },
  })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, closed, gated] })
})

afterAll(() => app[Symbol.asyncDispose]())

interface Head {
  readonly method: string
  readonly path: string
  readonly length: number
  readonly session?: Session
}

/** Sends the head of a request, and nothing of the announced body. */
function begin({ method, path, length, session }: Head): Socket {
  const { hostname, port, pathname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `${method} ${pathname.replace(/\/$/, "")}${path} HTTP/1.1`,
    "host: x",
    "connection: close",
    "content-type: application/json",
    `content-length: ${length}`,
    ...(session ? [`cookie: ${sessions.sign(session)}`] : []),
  ]
  socket.write(`${lines.join("\r\n")}\r\n\r\n`)
  return socket
}

const ID = "01890000-0000-7000-8000-000000000000"

describe("what no rule allows is refused before the body is sent", () => {
  test.each([
    ["POST", "/closed"],
    ["PATCH", "/closed"],
    ["PATCH", `/closed/${ID}`],
    ["POST", "/closed/update-batch"],
    ["POST", "/closed/delete-many"],
    ["POST", "/closed/query"],
    ["POST", `/closed/${ID}/revert`],
    ["POST", `/closed/${ID}/transition`],
  ])("%s %s", async (method, path) => {
    const nobody = await readAnswer(begin({ method, path, length: 500_000 }))
    const somebody = await readAnswer(begin({ method, path, length: 500_000, session: signedIn }))

    expect([nobody.status, somebody.status]).toEqual([401, 403])
    expect(nobody.body.error.message).toMatch(/^Sign in to \w+ closed\.$/)
  })

  test("as are a path and a method that are not there, another type, and a body that is too long", async () => {
    const long = 5 * 1024 * 1024
    const heads: readonly Head[] = [
      { method: "POST", path: "/nothing/at/all/here", length: 500_000 },
      { method: "PUT", path: "/notes", length: 500_000 },
      { method: "POST", path: "/notes/update-batch", length: long, session: signedIn },
    ]

    const answers = await Promise.all(heads.map((head) => readAnswer(begin(head))))

    expect(answers.map(({ status }) => status)).toEqual([404, 405, 413])
  })
})

describe("a body with many records", () => {
  test("has at most 4 MiB, and 1 MiB of somebody who is not signed in", async () => {
    const path = "/notes/update-batch"
    const head = { method: "POST", path }
    const refused = await readAnswer(begin({ ...head, length: 4 * 1024 * 1024 + 1, session: signedIn }))
    const nobody = await readAnswer(begin({ ...head, length: 1024 * 1024 + 1 }))
    const body = JSON.stringify({ updates: [], _: "x".repeat(2 * 1024 * 1024) })

    expect(refused.body.error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message:
        'The body is too long: at most 4194304 bytes are accepted here. Send less at a time; the app can raise "limits.bulkBodyBytes".',
    })
    expect(nobody.body.error.message).toContain(
      'at most 1048576 bytes are accepted here. Send less at a time; the app can raise "limits.bodyBytes"',
    )
    // It is read, and only then found to be wrong.
    expect((await app.fetch(path, { method: "POST", body, session: signedIn })).status).toBe(400)
  })

  test("has at most 400,000 values", async () => {
    const row = `[${Array.from({ length: 9_999 }, () => "0").join(",")}]`
    const body = `{"updates":[${Array.from({ length: 45 }, () => row).join(",")}]}`

    const answer = await app.fetch("/notes/update-batch", { method: "POST", body })

    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: "The body has more than 400000 values. Send less at a time." } },
    })
  })

  test("must not name a prototype, however long it is", async () => {
    const body = `{"updates":[],"x":"${"x".repeat(300_000)}","y":{"\\u005f_proto__":1}}`

    const answer = await app.fetch("/notes/update-batch", { method: "POST", body })

    expect(answer.body.error.message).toBe('The body has the key "__proto__".')
  })

  test("is checked and written in slices, beside which others are answered", async () => {
    await app.database.query(
      `insert into notes (id, text, size, "createdAt", "updatedAt") select gen_random_uuid(), '', 0, now(), now() from generate_series(1, 1200)`,
    )
    const ids = (await app.database.query("select id from notes order by id")).map(({ id }) => id)
    const updates = ids.map((id, index) => ({ id, data: { text: `note ${index} ${"x".repeat(900)}`, size: index } }))
    const body = JSON.stringify({ updates })
    events.length = 0
    let isWritten = false
    const health = async () => {
      while (!isWritten) {
        await app.fetch("/health")
        events.push("health")
      }
    }
    const write = async () => {
      const answer = await app.fetch("/notes/update-batch", { method: "POST", body, session: signedIn })
      isWritten = true
      return answer
    }

    const [answer] = await Promise.all([write(), health()])

    expect(answer.body.map(({ size }: { size: number }) => size)).toEqual(ids.map((_id, index) => index))
    const between = events.slice(events.indexOf("check"), events.lastIndexOf("check"))
    expect(between).toContain("health")
    const [stored] = await app.database.query("select count(distinct size)::int as sizes from notes where text <> ''")
    expect(stored).toEqual({ sizes: 1_200 })
  })
})

describe("large bodies of one caller", () => {
  const body = JSON.stringify({ text: "x".repeat(300_000) })
  const create = (session?: Session) => app.fetch("/gated", { method: "POST", body, ...(session && { session }) })

  test("are worked on two at a time, and those of others meanwhile", async () => {
    gate = deferred()
    const held = [
      begin({ method: "POST", path: "/gated", length: body.length, session: signedIn }),
      begin({ method: "POST", path: "/gated", length: body.length, session: signedIn }),
    ]
    const heldAnswers = held.map(readAnswer)
    for (const socket of held) {
      inRule = deferred()
      socket.write(body)
      await inRule.promise
    }

    inRule = deferred()
    const third = create(signedIn)
    let isThirdInRule = false
    const other = create({ user: { id: "another" } })
    await inRule.promise
    const small = await app.fetch("/notes", {
      method: "POST",
      body: JSON.stringify({ text: "small" }),
      session: signedIn,
    })
    inRule = deferred()
    void inRule.promise.then(() => {
      isThirdInRule = true
    })
    expect(small.status).toBe(201)
    expect(isThirdInRule).toBe(false)
    gate.resolve()

    expect((await Promise.all(heldAnswers)).map(({ status }) => status)).toEqual([201, 201])
    expect([(await third).status, (await other).status]).toEqual([201, 201])
    expect(isThirdInRule).toBe(true)
  })

  test("and more than twenty that wait are refused", async () => {
    gate = deferred()
    const all = Array.from({ length: 24 }, () => create(signedIn))

    const refused = await Promise.race(all)
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          code: "RATE_LIMITED",
          message:
            'At most 2 large bodies of a caller are processed at the same time ("limits.largeBodies"). Send them one after the other.',
        },
      },
    })
    expect(refused.headers.get("retry-after")).toBe("1")
    gate.resolve()

    const statuses = (await Promise.all(all)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array.from({ length: 22 }, () => 201), 429, 429])
  })
})
