// @module-tag not-about-engine

import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { exchange, readAnswer } from "../support/processes/raw-http.ts"
import { type AttackWorld, attackWorld, checkAnswer, fingerprint } from "../support/worlds/attack-world.ts"

const BODY_LIMIT = 1024 * 1024

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe("prototypes", () => {
  test.each([
    "__proto__[polluted]=1",
    "__proto__=1",
    "constructor[prototype][polluted]=1",
    "where[constructor][prototype][polluted]=1",
    "where[__proto__][polluted]=1",
    "where[title][__proto__][polluted]=1",
    "where[toString]=1",
    "where[hasOwnProperty][eq]=1",
    "columns[__proto__]=true",
    "columns[valueOf]=true",
    "orderBy[__proto__]=asc",
    "with[constructor]=true",
    "where[author][is][__proto__]=1",
    "where[AND][__proto__]=1",
    "where[%5F_proto__]=1",
  ])("the query %s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}`, as: world.admin })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })

  test.each([
    '{"title":"x","__proto__":{"polluted":1}}',
    '{"title":"x","meta":{"__proto__":{"polluted":1}}}',
    '{"title":"x","meta":[{"\\u005f_proto__":{"polluted":1}}]}',
    '{"title":"x","constructor":{"prototype":{"polluted":1}}}',
  ])("the body %s is refused, in plain and in extended JSON", async (body) => {
    const plain = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })
    const extended = await postExtended(`{"json":${body}}`)

    expect([plain.status, extended.status]).toEqual([400, 400])
  })
})

describe("extended JSON", () => {
  const tenMillionDigits = "9".repeat(1_000_000)
  const millionItems = `[${"1,".repeat(499_999)}1]`

  test.each([
    ["a BigInt of a million digits", `{"json":{"title":"${tenMillionDigits}"},"meta":{"values":{"title":"BigInt"}}}`],
    ["a Set of half a million items", `{"json":{"title":${millionItems}},"meta":{"values":{"title":"Set"}}}`],
    ["an invalid Date", '{"json":{"title":"x","publishedAt":"Invalid Date"},"meta":{"values":{"publishedAt":"Date"}}}'],
    ["a number for a Date", '{"json":{"title":"x","publishedAt":5},"meta":{"values":{"publishedAt":"Date"}}}'],
    ["an unknown type", '{"json":{"title":"x"},"meta":{"values":{"title":"Nope"}}}'],
    ["a regular expression", '{"json":{"title":"/(a+)+$/"},"meta":{"values":{"title":"regexp"}}}'],
    ["a class", '{"json":{"title":"x"},"meta":{"values":{"title":["class","Foo"]}}}'],
    ["a custom type", '{"json":{"title":"x"},"meta":{"values":{"title":["custom","x"]}}}'],
    ["a symbol", '{"json":{"title":"x"},"meta":{"values":{"title":["symbol","x"]}}}'],
    ["an Error", '{"json":{"title":"x"},"meta":{"values":{"title":"Error"}}}'],
    [
      "a path through a prototype",
      '{"json":{"title":"x"},"meta":{"values":{"constructor.prototype.polluted":"Date"}}}',
    ],
    ["a path through __proto__", '{"json":{"title":"x"},"meta":{"values":{"__proto__.polluted":"Date"}}}'],
    ["a Map with a key __proto__", '{"json":{"title":"x","meta":[["__proto__",1]]},"meta":{"values":{"meta":"Map"}}}'],
    [
      "thousands of types",
      `{"json":{"title":"x"},"meta":{"values":{${Array.from({ length: 5_000 }, (_, i) => `"a${i}":"Date"`)}}}}`,
    ],
    ["a deep path", `{"json":{"title":"x"},"meta":{"values":{"${"a.".repeat(10_000)}b":"Date"}}}`],
    ["types that are a list of lists", `{"json":{"title":"x"},"meta":{"values":${"[".repeat(30)}${"]".repeat(30)}}}`],
    ["types that are text", '{"json":{"title":"x"},"meta":{"values":"Date"}}'],
    ["meta that is no object", '{"json":{"title":"x"},"meta":5}'],
    ["no envelope", '{"title":"x"}'],
    ["a list for an envelope", '[{"json":{}}]'],
    ["a Map for the record", '{"json":[["title","x"]],"meta":{"values":{"":"Map"}}}'],
    ["a Date for text", '{"json":{"title":"2026-01-01T00:00:00.000Z"},"meta":{"values":{"title":"Date"}}}'],
  ])("%s is refused", async (_name, body) => {
    const answer = await postExtended(body)

    expect(answer.status).toBe(400)
  })

  test("a reference that superjson would follow is not followed", async () => {
    const body =
      '{"json":{"title":"x","meta":{"a":1,"b":null}},"meta":{"referentialEqualities":{"meta.a":["meta.b","constructor.prototype.polluted"]}}}'

    const headers = { "x-extendedjson": "1" }
    const answer = await world.attack({ method: "POST", path: "/posts", body, headers, as: world.alice })

    expect(answer.status).toBe(201)
    expect(answer.body.json.meta).toEqual({ a: 1, b: null })
  })
})

function postExtended(body: string) {
  const headers = { "x-extendedjson": "1" }
  return world.attack({ method: "POST", path: "/posts", body, headers, as: world.alice, withinMs: 200 })
}

describe("depth and number", () => {
  const deepWhere = Array.from({ length: 1_000 }, () => "[NOT]").join("")
  const deepWith = Array.from({ length: 50 }, () => "[author][with]").join("")

  test.each([
    ["a filter 1000 deep", `where${deepWhere}[title]=x`],
    ["a filter 15 deep", `where${"[NOT]".repeat(15)}[title]=x`],
    ["alternatives 12 deep", `where${"[OR][0]".repeat(12)}[title]=x`],
    ["10000 alternatives", Array.from({ length: 3_000 }, (_, i) => `where[OR][${i}][id]=x`).join("&")],
    ["900 alternatives", Array.from({ length: 900 }, (_, i) => `where[OR][${i}][title]=x`).join("&")],
    ["relations 50 deep", `with${deepWith}=true`],
    ["relations 7 deep", `with${"[author][with]".repeat(7)}[author]=true`],
    ["an order through 20 relations", `orderBy${"[author]".repeat(18)}[name]=asc`],
    ["an order by many keys", Array.from({ length: 40 }, (_, i) => `orderBy[${i}][title]=asc`).join("&")],
    ["5000 parameters", Array.from({ length: 5_000 }, (_, i) => `a${i}=1`).join("&")],
    ["5000 empty items", Array.from({ length: 5_000 }, () => "a[]=").join("&")],
    ["a huge index", "where[id][in][999999999]=x"],
    ["a huge index of an unknown option", "a[999999999]=x"],
    ["a negative index", "where[id][in][-1]=x"],
    ["a parameter given twice", "limit=1&limit=1000"],
    ["a parameter in two shapes", "limit=1&limit[]=2"],
    ["brackets that do not match", "where[title=x"],
    ["brackets inside brackets", "where[a[b]]=x"],
    ["a parameter without a name", "=x"],
  ])("%s is refused", async (_name, query) => {
    const answer = await world.attack({ path: `/posts?${query}`, as: world.admin, withinMs: 100 })

    expect(answer.status).toBe(400)
  })

  test("a filter on a relation is read the same at every depth that is allowed", async () => {
    const path = `/posts/count?where${"[OR][0]".repeat(8)}[author][is][name]=Bob`

    const answer = await world.attack({ path, as: world.admin })

    expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
  })

  test.each([
    ["lists", "[".repeat(100_000)],
    ["closed lists", "[".repeat(100_000) + "]".repeat(100_000)],
    ["objects", '{"a":'.repeat(50_000)],
    ["a JSON field", `{"title":"x","meta":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["a JSON field 25 deep", `{"title":"x","meta":${"[".repeat(25)}${"]".repeat(25)}}`],
    ["a text field", `{"title":${'{"a":'.repeat(25)}1${"}".repeat(25)}}`],
    ["quotes that never end", `{"title":"${'\\"'.repeat(200_000)}`],
    ["a list of 20000 items", `{"title":"x","meta":[${"0,".repeat(20_000)}0]}`],
  ])("a body of %s is refused", async (_name, body) => {
    const plain = await world.attack({ method: "POST", path: "/posts", body, as: world.alice, withinMs: 100 })
    const extended = await postExtended(`{"json":${body}}`)

    expect([plain.status, extended.status]).toEqual([400, 400])
  })

  test.each([
    "1e9",
    "-1",
    "0",
    "1.5",
    "NaN",
    "Infinity",
    "",
    "1001",
    "0x10",
    " 5",
    "5 ",
    "１",
    "99999999999999999999",
    "null",
  ])("the limit %j is refused", async (limit) => {
    const answer = await world.attack({ path: `/posts?limit=${encodeURIComponent(limit)}` })

    expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "limit" }] } } })
  })

  test.each([
    "limit[]=1",
    "limit[eq]=1",
    "offset=1e18",
    "offset=-1",
    "offset=9999999999",
    "offset[]=0",
    "page=0",
    "page=-1",
    "page=2147483647",
    "page=1&offset=0",
    "total=maybe",
    "total[]=true",
  ])("%s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}` })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })
})

describe("sizes", () => {
  test.each([
    ["a URL of 64 KB", { path: `/posts?search=${"x".repeat(65_536)}` }],
    ["a header of 64 KB", { path: "/posts", headers: { "x-big": "x".repeat(65_536) } }],
    [
      "many headers",
      {
        path: "/posts",
        headers: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x-${i}`, "0123456789"])),
      },
    ],
  ])("%s is refused", async (_name, request) => {
    const answer = await world.attack({ ...request, withinMs: 100 })

    expect(answer.status).toBe(431)
  })

  test("a body over the limit is refused by its Content-Length, before it is sent", async () => {
    const headers = { "content-length": String(BODY_LIMIT + 1) }

    const answer = await world.attack({
      method: "POST",
      path: "/posts",
      body: "{",
      headers,
      as: world.alice,
      withinMs: 100,
    })

    expect(answer).toMatchObject({
      status: 413,
      headers: { connection: "close" },
      body: { error: { code: "PAYLOAD_TOO_LARGE" } },
    })
  })

  test("a body in chunks is read no further than to the limit", async () => {
    const before = await fingerprint(world.app)
    const { socket, written } = streamChunks(64 * BODY_LIMIT)

    const answer = await readAnswer(socket)

    checkAnswer({ ...answer, ms: 0 })
    expect(answer.status).toBe(413)
    // The client sends as much as the sockets buffer before the refusal arrives.
    expect(written()).toBeLessThan(32 * BODY_LIMIT)
    expect(await fingerprint(world.app)).toEqual(before)
  })

  test.each([
    ["both headers", "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["two lengths", "content-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
    ["a length that is no number", "content-length: 2x\r\n\r\n{}"],
    ["a negative length", "content-length: -1\r\n\r\n{}"],
    ["an unknown transfer encoding", "transfer-encoding: gzip\r\n\r\n{}"],
    ["a chunk size that is no number", "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"],
    ["a bare line feed", "x: 1\ncontent-length: 2\r\n\r\n{}"],
    ["a space before the colon", "content-length : 2\r\n\r\n{}"],
  ])("a request with %s is refused", async (_name, rest) => {
    const before = await fingerprint(world.app)
    const head = "POST /api/posts HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n"

    const answer = await exchange(address(), Buffer.from(head + rest))

    checkAnswer(answer)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
    expect(await fingerprint(world.app)).toEqual(before)
  })

  test.each([
    ["a content type with 50 KB of spaces", { "content-type": `application/json${" ".repeat(50_000)};x` }, 400],
    ["a content type with 50 KB of spaces inside", { "content-type": `application/${" ".repeat(50_000)}json` }, 415],
    [
      "a multipart content type with 50 KB of spaces",
      { "content-type": `multipart/form-data;${" ".repeat(50_000)}boundary=x` },
      415,
    ],
    ["a cookie of 50 KB", { cookie: `kit_session=${"a.".repeat(25_000)}` }, 401],
    ["50 KB of cookies", { cookie: "a=b; ".repeat(10_000) }, 401],
  ])("%s takes no time", async (_name, headers, status) => {
    const body = status === 400 ? "5" : '{"title":"x"}'

    const answer = await world.attack({
      method: "POST",
      path: "/posts",
      body,
      headers,
      ...(status === 400 && { as: world.alice }),
      withinMs: 100,
    })

    expect(answer.status).toBe(status)
  })

  test("a preflight with 50 KB of spaces takes no time and allows nothing", async () => {
    const headers = { origin: "https://evil.test", "access-control-request-headers": `x${" ".repeat(50_000)}y` }

    const answer = await world.attack({ method: "OPTIONS", path: "/posts", headers, withinMs: 100 })

    expect(answer.status).toBe(204)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
  })
})

describe("refusals", () => {
  const manyFields = `{${Array.from({ length: 80_000 }, (_, index) => `"s${index}":1`)}}`

  test.each([
    ["a body with 80000 unknown fields", { method: "POST", path: "/posts", body: manyFields }],
    ["a body with a name of a megabyte", { method: "POST", path: "/posts", body: `{"${"x".repeat(1_000_000)}":1}` }],
    ["a filter with a name of 60 KB", { path: `/posts?where[${"x".repeat(60_000)}]=1` }],
    ["an order with a name of 60 KB", { path: `/posts?orderBy[${"x".repeat(60_000)}]=asc` }],
    ["an option with a name of 60 KB", { path: `/posts?${"x".repeat(60_000)}=1` }],
    ["an operator with a name of 60 KB", { path: `/posts?where[title][${"x".repeat(60_000)}]=1` }],
  ])("%s is answered shortly and quickly", async (_name, request) => {
    const answer = await world.attack({ ...request, as: world.alice, withinMs: 100 })

    expect(answer.status).toBe(400)
    expect(answer.text.length).toBeLessThan(30_000)
  })
})

function address() {
  return { hostname: "127.0.0.1", port: Number(new URL(world.app.url).port) }
}

/** Sends chunks until the server closes the connection or everything is sent. */
function streamChunks(total: number) {
  const socket = connect(address().port, address().hostname)
  const data = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`)
  let written = 0
  const write = () => {
    while (!socket.destroyed && written < total) {
      written += data.length
      if (!socket.write(data)) return void socket.once("drain", write)
    }
  }
  socket.write(
    "POST /api/posts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
  )
  write()
  return { socket, written: () => written }
}

test("61: query strings beyond every bound leave the heap as it was", async () => {
  const queries = [
    Array.from({ length: 5000 }, (_, index) => `p${index}=x`).join("&"),
    Array.from({ length: 5000 }, () => "a[]=").join("&"),
    "a[999999999]=x",
  ]
  const sendAll = async () => {
    for (const query of queries) expect((await fetch(`${world.app.url}/posts?${query}`)).status).toBeGreaterThan(399)
  }
  await sendAll()
  const before = heapAfterCollection()

  for (let round = 0; round < 300; round++) await sendAll()

  expect(heapAfterCollection() - before).toBeLessThan(HEAP_SLACK_BYTES)
})

// The rounds send more than four times this, so a leak would show.
const HEAP_SLACK_BYTES = 4 * 1024 * 1024

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
  return process.memoryUsage().heapUsed
}
