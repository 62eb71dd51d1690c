import fc from "fast-check"
import { expect, test } from "vitest"
import { createClient } from "../../src/client.ts"
import { kebabCase } from "../../src/wire/paths/route-names.ts"

const ANSWER = { docs: [], count: 0 }
const ODD = [
  ...[
    "",
    ".",
    "..",
    "...",
    "/",
    "//",
    "a/b",
    "../x",
    "/etc",
    "\\",
    "..\\x",
    "%",
    "%2F",
    "%2f..",
    "%2e%2e",
    "%2E",
    "%zz",
  ],
  ...["?", "a?b=c", "#", "a#b", "&", "=", ";", ":", "@", "//kit.test", "http://kit.test", " ", "\t", "\n", "\0", "+"],
  ...["\ud800", "a\udc00", "😀", "ž", "e\u0301", "\u202e", "\uffff", "constructor", "__proto__", "toString", "length"],
  ...["count", "query", "meta", "update-batch", "delete-many", "restore", "globals", "auth"],
]
const hostile = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(".", "/", "%", "2", "F", "e", "\\", "a", "A", "\ud83d", "?"), maxLength: 6 }),
)

/** The segments that a server would see of each request: an address is tidied up before it is sent. */
function recordingClient() {
  const paths: string[][] = []
  const fetch = (url: string, init: RequestInit) => {
    const { pathname } = new URL(new Request(url, { ...init, body: null, method: "GET" }).url)
    paths.push(pathname.split("/").slice(1).map(decodeURIComponent))
    return Promise.resolve(Response.json(ANSWER))
  }
  return { client: createClient({ baseURL: "http://kit.test", basePath: "/api", fetch }), paths }
}

type Recording = ReturnType<typeof recordingClient>

/** One request with exactly these segments, or a TypeError and none. */
async function expectOneOf(recording: Recording, call: () => unknown, segments: readonly string[]): Promise<boolean> {
  const outcome = await (async () => await call())().then(
    () => "sent",
    (error: unknown) => error,
  )
  const requests = recording.paths.splice(0)
  if (outcome !== "sent") expect(outcome).toBeInstanceOf(TypeError)
  expect(requests).toEqual(outcome === "sent" ? [["api", ...segments]] : [])
  return outcome === "sent"
}

test("the name of a collection is one segment in every operation, or none at all", async () => {
  const recording = recordingClient()

  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (name, id) => {
      const operations = recording.client.collections[name]
      if (operations === undefined) throw new Error("Every name has operations.")
      const call = (path: string[], work: () => unknown) => expectOneOf(recording, work, [name, ...path])

      await call([], () => operations.find())
      await call(["count"], () => operations.count())
      await call([], () => operations.create({}))
      await call([], () => operations.updateMany({ all: true, data: {} }))
      await call(["update-batch"], () => operations.updateBatch({ updates: [] }))
      await call(["delete-many"], () => operations.deleteMany({ all: true }))
      await call([id], () => operations.updateById({ id, data: {} }))
      await call([id], () => operations.deleteById({ id }))
      await call([id, "restore"], () => operations.restoreById({ id }))
      await call([id, "purge"], () => operations.purgeById({ id }))
    }),
  )
})

test("an id that is read is one segment, or part of a filter", async () => {
  const recording = recordingClient()

  await fc.assert(
    fc.asyncProperty(hostile, async (id) => {
      const call = () => recording.client.collections["articles"]?.findOne({ where: { id } })
      const isRefusedInPaths = ["", ".", "..", "count", "query", "meta", "update-batch", "delete-many"].includes(id)

      await expectOneOf(recording, call, isRefusedInPaths ? ["articles"] : ["articles", id])
    }),
  )
})

test("the name of a global is one segment, or none at all", async () => {
  const recording = recordingClient()

  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      await expectOneOf(recording, () => recording.client.globals[name]?.get(), ["globals", name])
      await expectOneOf(recording, () => recording.client.globals[name]?.update({}), ["globals", name])
    }),
  )
})

test("a name below routes is one segment, and so is each value of a parameter", async () => {
  const recording = recordingClient()
  const place = recording.client.routes["a"]
  const isSegment = (name: string) => !/^(get|post|put|patch|delete)$|^(url|then|toJSON)$|^\$/i.test(name)

  await fc.assert(
    fc.asyncProperty(hostile.filter(isSegment), hostile, async (name, value) => {
      await expectOneOf(recording, () => place?.[name]?.(), ["a", kebabCase(name)])
      await expectOneOf(recording, () => place?.["$id"]?.(value)["get"]?.(), ["a", value])
      await expectOneOf(recording, () => place?.["$path"]?.([value, "b"])["delete"]?.(), ["a", value, "b"])
      await expectOneOf(recording, () => fetchUrl(recording, place?.["$id"]?.(value).url), ["a", value])
    }),
  )
})

test("ordinary names do get through", async () => {
  const recording = recordingClient()

  const sent = await expectOneOf(recording, () => recording.client.collections["a/b ü"]?.find(), ["a/b ü"])

  expect(sent).toBe(true)
})

function fetchUrl({ paths }: Recording, url: unknown): void {
  paths.push(new URL(String(url)).pathname.split("/").slice(1).map(decodeURIComponent))
}
