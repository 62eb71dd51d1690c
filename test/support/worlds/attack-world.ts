import type { Session } from "kit"
import { expect } from "vitest"
import { ERROR_CODES } from "../../../packages/kit/src/wire/errors/api-error.ts"
import { slowdown } from "../../../packages/kit/test/least-time.ts"
import { type RawAnswer, type RawRequest, sendRaw } from "../processes/raw-http.ts"
import { fixture } from "./fixture.ts"
import { sessions, type TestApp, testApp } from "./test-app.ts"

/** Values that no answer may ever contain, unless the caller is the admin who may read the reset tokens. */
export const SECRETS = {
  note: "sesame-note-4711",
  password: "hash-of-bob-0815",
  token: "reset-me-2342",
  ip: "10.66.77.88",
  apiKey: "key-to-the-kingdom",
  bobsNote: "bob-was-here-1701",
} as const

const LOCALES = { default: "en", all: ["en", "sk"] }

export interface Attack extends RawRequest {
  readonly as?: Session | undefined
  /** The time limit for the answer; a slow machine gets three times as long. */
  readonly withinMs?: number
  /** True if the attack is about a failure of the server. */
  readonly mayFail?: boolean
  readonly mayShow?: readonly string[]
}

export interface AttackWorld extends AsyncDisposable {
  readonly app: TestApp
  readonly alice: Session
  readonly bob: Session
  readonly admin: Session
  /** The ids of seeded records, by what they are. */
  readonly ids: Readonly<Record<"alicesPost" | "bobsPost" | "audit" | "alicesNote" | "bobsNote", string>>
  /** Sends the attack, and checks the rules for every answer. */
  attack(attack: Attack): Promise<RawAnswer>
}

/** Starts a server with secrets in every place that can hold one. */
export async function attackWorld(
  config: Parameters<typeof testApp>[0]["config"] = {},
  more: Parameters<typeof testApp>[0]["resources"] = [],
): Promise<AttackWorld> {
  const app = await testApp({ resources: [...fixture, ...more], config: { locales: LOCALES, ...config } })
  const create = async (name: string, data: Record<string, unknown>) =>
    String((await app.app.system.collections[name]?.create(data))?.["id"])
  const secrets = { passwordHash: SECRETS.password, resetToken: SECRETS.token }
  const alice = await create("members", { name: "Alice", ...secrets })
  const bob = await create("members", { name: "Bob", ...secrets })
  const admin = await create("members", { name: "Root", role: "admin", ...secrets })
  const audit = await create("audit", { ip: SECRETS.ip })
  const post = { body: "Lorem", meta: { color: "red" }, secretNote: SECRETS.note, audit }
  const ids = {
    audit,
    alicesPost: await create("posts", { ...post, title: "One", author: alice }),
    bobsPost: await create("posts", { ...post, title: "Two", author: bob }),
    alicesNote: await create("notes", { text: "mine", owner: alice }),
    bobsNote: await create("notes", { text: SECRETS.bobsNote, owner: bob }),
  }
  await app.app.system.globals["settings"]?.update({ siteName: "Site", apiKey: SECRETS.apiKey })
  return {
    app,
    ids,
    alice: { user: { id: alice, role: "member" } },
    bob: { user: { id: bob, role: "member" } },
    admin: { user: { id: admin, role: "admin" } },
    attack: (attack) => carryOut(app, attack),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

async function carryOut(app: TestApp, attack: Attack): Promise<RawAnswer> {
  const before = await fingerprint(app)
  const answer = await sendInTime(app, attack)
  const [health, after] = await Promise.all([sendRaw(app.url, { path: "/health" }), fingerprint(app)])
  checkAnswer(answer, attack)
  checkPrototypes()
  expect(health).toMatchObject({ status: 200, body: { status: "ok" } })
  const mayChange = answer.status < 400 && attack.method !== undefined
  if (!mayChange) expect(after).toEqual(before)
  return answer
}

// On a busy machine an answer may be late, so a request is retried: a fast one is in time at least once.
async function sendInTime(app: TestApp, attack: Attack): Promise<RawAnswer> {
  const { withinMs = Number.POSITIVE_INFINITY, method } = attack
  const send = () => sendRaw(app.url, { ...attack, headers: headersOf(attack) })
  let best = await send()
  const mayRepeat = method === undefined || method === "OPTIONS" || best.status >= 400
  for (let retries = 10; retries > 0 && best.ms > withinMs && mayRepeat; retries--) {
    const answer = await send()
    const ms = answer.ms / slowdown()
    if (ms < best.ms) best = { ...answer, ms }
  }
  return best
}

function headersOf({ as, body, headers }: Attack): Record<string, string> {
  return {
    ...(as && { cookie: sessions.sign(as) }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  }
}

/** Checks the rules for every answer to an attack. */
export function checkAnswer(answer: RawAnswer, attack: Omit<Attack, "path"> = {}): void {
  const type = answer.status === 204 ? undefined : "application/json; charset=utf-8"
  expect(answer.headers["content-type"]).toBe(type)
  expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{1,64}$/)
  if (attack.mayFail !== true) expect(answer.status).toBeLessThan(500)
  if (answer.status >= 400) checkError(answer)
  const shown = answer.text + JSON.stringify(answer.headers)
  const secrets = Object.values(SECRETS).filter((secret) => attack.mayShow?.includes(secret) !== true)
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([])
  if (attack.withinMs !== undefined) expect(answer.ms).toBeLessThan(attack.withinMs * 3)
}

// An extended answer wraps the same body.
function checkError({ body, headers, status }: RawAnswer): void {
  const error = headers["x-extendedjson"] === "1" ? body?.json?.error : body?.error
  expect(Object.keys(ERROR_CODES)).toContain(error?.code)
  expect(error.requestId).toBe(headers["x-request-id"])
  // Node itself refuses some requests, with a status that is not in the table of codes.
  if (![408, 431].includes(status)) expect(ERROR_CODES[error.code as keyof typeof ERROR_CODES].status).toBe(status)
}

function checkPrototypes(): void {
  const polluted: string[] = []
  for (const name in {}) polluted.push(name)
  expect(polluted).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

/**
 * Returns the row count and a checksum of every table, except those of changes and of search, which the app trims and
 * fills at any time. The rows of the framework's periodic jobs, such as `kit.sweep-kv`, are left out: they run every hour.
 */
export async function fingerprint({ database }: Pick<TestApp, "database">): Promise<Record<string, unknown>[]> {
  return database.queryPrepared("fingerprint", checksums.get(database) ?? (await rememberChecksums(database)))
}

const checksums = new WeakMap<TestApp["database"], string>()

async function rememberChecksums(database: TestApp["database"]): Promise<string> {
  const tables = await database.query(
    `select tablename from pg_tables where schemaname = 'public'
     and not starts_with(tablename, '_kit_change') and not starts_with(tablename, '_kit_search') order by 1`,
  )
  const parts = tables.map(
    ({ tablename: name }) =>
      `select '${name}' as name, count(*)::int as rows, md5(string_agg(t::text, '|' order by t::text)) from "${name}" t
       where t::text !~ 'kit\\.(prune|sweep)-'`,
  )
  const text = `${parts.join(" union all ")} order by name`
  checksums.set(database, text)
  return text
}

/**
 * Returns the answer without the parts that may differ between equal refusals: the request id, and the name in the
 * request.
 */
export function apartFromName(answer: RawAnswer, name: string): unknown {
  const { "x-request-id": requestId = "", date: _date, ...headers } = answer.headers
  const text = answer.text.replaceAll(requestId, "<id>").replaceAll(name, "<name>")
  return { status: answer.status, headers, body: JSON.parse(text) }
}
