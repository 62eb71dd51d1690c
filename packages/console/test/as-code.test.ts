import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { clientCode } from "../src/as-code/client-code.ts"
import { requestOf } from "../src/as-code/code-request.ts"
import { curlCommand, shellQuoted } from "../src/as-code/curl.ts"
import { literalText } from "../src/as-code/literal.ts"

const API = { baseURL: "http://localhost:3000", basePath: "/api" }

const HOSTILE = [
  "it's",
  'say "no"',
  "back\\slash \\u0041 \\n",
  `$HOME \${HOME} $(id) \`id\` \`\${1}\``,
  "two\nlines\r\nand\ttabs",
  "\u2028\u2029\ufeff\u202eabc\u2066",
  "<script>alert(1)</script>",
  "!! ; && | > < # * ? ~ %s %0A",
  "-X POST",
  "@/etc/passwd",
  "žluťoučký 👩‍👩‍👧 語",
  "\u0001\u007f\u0085",
  "'\\''",
  "END",
  "",
]

function evaluated(code: string): unknown {
  return new Function(`return (${code})`)()
}

test("a short call is one line, a long one has a line for each member", () => {
  const path = ["collections", "articles", "find"]

  expect(clientCode({ path, args: [] })).toBe("await client.collections.articles.find()")
  expect(clientCode({ path, args: [{ limit: 100 }] })).toBe("await client.collections.articles.find({ limit: 100 })")
  const where = { team: { in: ["one", "two"] }, kind: { in: ["report"] }, title: { contains: "the lake" } }
  expect(clientCode({ path, args: [{ where, orderBy: { title: "asc" }, limit: 100 }] })).toBe(
    `await client.collections.articles.find({
  where: {
    team: { in: ["one", "two"] },
    kind: { in: ["report"] },
    title: { contains: "the lake" },
  },
  orderBy: { title: "asc" },
  limit: 100,
})`,
  )
})

test("a call with two arguments that are too long for a line has a line for each", () => {
  const id = "01890000-0000-7000-8000-000000000001"
  const args = [
    { id, data: { title: "The lake" } },
    { locale: "sk", localeFallback: false },
  ]

  expect(clientCode({ path: ["collections", "articles", "updateById"], args })).toBe(
    `await client.collections.articles.updateById(
  { id: "${id}", data: { title: "The lake" } },
  { locale: "sk", localeFallback: false },
)`,
  )
})

test("a literal is evaluated to the value that it was written from", () => {
  const values = [
    ...HOSTILE,
    null,
    -0,
    1.5e-9,
    12345678901234567890n,
    new Date("2026-11-19T08:00:00.123Z"),
    { "odd name": 1, "2x": 2, __proto: 3, class: 4, é: 5, "a-b": 6 },
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
    HOSTILE.map((text) => ({ [text]: [text, { deep: HOSTILE }] })),
  ]

  for (const value of values) expect(evaluated(literalText(value))).toStrictEqual(value)
})

test("what nobody would see is escaped", () => {
  expect(literalText("a\u202eb\u2028c")).toBe(String.raw`"a\u202eb\u2028c"`)
})

test("members that are undefined are left out", () => {
  expect(literalText({ one: undefined, two: { three: undefined } })).toBe("{ two: {} }")
})

test("a shell passes on every quoted text as it was", () => {
  for (const text of HOSTILE) {
    const printed = execFileSync("/bin/sh", ["-c", `printf %s ${shellQuoted(text)}`], { encoding: "utf8" })
    expect(printed).toBe(text)
  }
})

test("the command has the address that the client makes", async () => {
  const call = { path: ["collections", "articles", "find"], args: [{ where: { title: "a & b" }, limit: 5 }] }

  const command = curlCommand(await requestOf(call, API))

  expect(command).toBe(
    String.raw`curl --globoff --cookie cookies.txt \
  'http://localhost:3000/api/articles?where[title]=a%20%26%20b&limit=5'`,
  )
})

test("a write has its body, in lines if it is long", async () => {
  const data = { title: "It's a very long title that does not fit on one line", words: 7 }
  const call = { path: ["globals", "site", "update"], args: [data, { locale: "en" }] }

  expect(curlCommand(await requestOf(call, API))).toBe(
    String.raw`curl --globoff --cookie cookies.txt --request PATCH \
  'http://localhost:3000/api/globals/site?locale=en' \
  --header 'content-type: application/json' \
  --data-raw '{
  "title": "It'\''s a very long title that does not fit on one line",
  "words": 7
}'`,
  )
})

test("a body that is too long for an argument is the input of the command", async () => {
  const text = "END ".repeat(20_000)
  const call = { path: ["globals", "site", "update"], args: [{ text }] }
  const request = await requestOf(call, API)

  const [, ...input] = curlCommand(request).split(/--data-binary @- << 'END_'\n/)

  expect(JSON.parse(input.join("").replace(/\nEND_$/, ""))).toEqual({ text })
})

test("a call that the client refuses before it sends anything says why", async () => {
  const call = { path: ["collections", "articles", "updateById"], args: [{ id: "..", data: {} }] }

  await expect(requestOf(call, API)).rejects.toThrow(/is not a record id/)
})
