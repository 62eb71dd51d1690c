// @module-tag not-about-engine

import { AppMistakesError, collection, createApp, global, route } from "kit"
import { service } from "kit/services"
import { describe, expect, test } from "vitest"
import { compileDefinition } from "../../packages/kit/src/app/definition/compile-definition.ts"

const posts = collection("posts").fields(({ f }) => ({ title: f.text() }))
const settings = global("settings").fields(({ f }) => ({ name: f.text() }))
const resources = [posts, settings].map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))
const { definition: get } = route()
  .get()
  .handler(() => 0)
const { definition: post } = route().handler(() => 0)
const { definition: anyService } = service({ lifecycle: "singleton", create: () => 0 })

function mistakesOf(...paths: readonly string[]): string[] {
  const routes = paths.map((path) => ({ file: `src/routes/${path}.ts`, path, definition: post }))
  const compiled = compileDefinition({ config: {}, resources, routes })
  return "mistakes" in compiled ? compiled.mistakes.map(({ file, message }) => `${file}: ${message}`) : []
}

describe("a route may not be", () => {
  test.each([
    ["index", "would answer at the mount path itself"],
    ["[team]", "would answer in place of every collection"],
    ["[...rest]", "would answer in place of every collection"],
    ["posts", 'is the path of the collection "posts"'],
    ["posts/index", 'is the path of the collection "posts"'],
    ["posts/[slug]", 'in place of the records of the collection "posts"'],
    ["posts/[...rest]", 'in place of the records of the collection "posts"'],
    ["posts/[id]/restore", 'in place of the records of the collection "posts"'],
    ["posts/count", 'is a path of the collection "posts"'],
    ["posts/deleteMany", 'is a path of the collection "posts"'],
    ["posts/files/x", 'is a path of the collection "posts"'],
    ["globals/settings", 'is below "/globals", which is a path of the API'],
    ["globals/x/y", 'is below "/globals", which is a path of the API'],
    ["auth/login", 'is below "/auth"'],
    ["search", 'is below "/search"'],
    ["realtime", 'is below "/realtime"'],
    ["channels/publish", 'is below "/channels"'],
    ["crdt/posts", 'is below "/crdt"'],
    ["_kit/x", "cannot be part of a URL"],
    ["a/[...rest]/b", "has to be the last part of the path"],
    ["a/[x]/[x]", 'the parameter "x" is used twice'],
    ["a/[]", "does not name a parameter"],
    ["a/[1st]", "does not name a parameter"],
    ["a/[my-team]", "does not name a parameter"],
    ["a/b c", "cannot be part of a URL"],
    ["a/[b", "cannot be part of a URL"],
    ["teams/get", 'has a part "get", which the client could not call'],
    ["teams/url", 'has a part "url", which the client could not call'],
  ])("%s", (path, reason) => {
    expect(mistakesOf(path)).toEqual([expect.stringContaining(reason)])
    expect(mistakesOf(path)[0]).toMatch(/^src\/routes\/.+\.ts: /)
  })

  test("the same as another one, whatever its file and its parameters are called", () => {
    expect(mistakesOf("adminStats", "admin-stats")).toEqual([
      "src/routes/admin-stats.ts: POST /admin-stats is already declared in src/routes/adminStats.ts. Rename one of them, or choose another method.",
    ])
    expect(mistakesOf("teams", "teams/index")).toEqual([expect.stringContaining("POST /teams is already declared")])
    expect(mistakesOf("a/[x]/c", "a/[y]/c")).toEqual([expect.stringContaining("is already declared")])
  })
})

test.each(["posts/export", "settings", "health", "a/[x]/b", "a/[x]", "a/[...x]", "sitemap.xml", "v1/globals"])(
  "%s is a fine place for a route",
  (path) => {
    expect(mistakesOf(path)).toEqual([])
  },
)

describe("the path in route(…)", () => {
  const problemOf = (declared: `/${string}`, path: string) => {
    const { definition } = route(declared).handler(() => 0)
    const compiled = compileDefinition({ config: {}, resources, routes: [{ file: `${path}.ts`, path, definition }] })
    return "mistakes" in compiled ? compiled.mistakes.map(({ message }) => message) : []
  }

  test.each([
    ["/teams/[team]/invite", "teams/[team]/invite"],
    ["/teams/[team]", "teams/[team]/index"],
    ["/teams/[...rest]", "teams/[...rest]"],
    ["/admin-stats", "adminStats"],
    ["/adminStats", "adminStats"],
  ] as const)("%s is the path of %s", (declared, path) => {
    expect(problemOf(declared, path)).toEqual([])
  })

  test.each([
    ["/teams/[id]/invite", "teams/[team]/invite", "/teams/[team]/invite"],
    ["/teams/[rest]", "teams/[...rest]", "/teams/[...rest]"],
    ["/team", "teams/index", "/teams"],
    ["/", "teams/index", "/teams"],
  ] as const)("%s is not the path of %s", (declared, path, own) => {
    expect(problemOf(declared, path)).toEqual([
      `route("${declared}") is in the file of another path. Write route("${own}"), or move the file.`,
    ])
  })
})

test("two routes may share a path by method", () => {
  const routes = [
    { file: "a.ts", path: "teams", definition: get },
    { file: "b.ts", path: "teams/index", definition: post },
  ]

  expect(compileDefinition({ config: {}, resources, routes })).toHaveProperty("routes.length", 2)
})

describe("a service may not be called", () => {
  test.each([
    ["db", 'the context already has "db"'],
    ["session", 'the context already has "session"'],
    ["input", 'the context already has "input"'],
    ["queue", 'the context already has "queue"'],
    ["onAfterCommit", 'the context already has "onAfterCommit"'],
    ["then", 'the context already has "then"'],
    ["my service", "is not a name"],
    ["constructor", "is used by JavaScript itself"],
  ])("%s", (key, reason) => {
    const compiled = compileDefinition({
      config: {},
      resources,
      services: [{ file: "x.ts", key, definition: anyService }],
    })

    expect(compiled).toMatchObject({ mistakes: [{ file: "x.ts", message: expect.stringContaining(reason) }] })
  })

  test("like another one", () => {
    const services = ["a.ts", "b.ts"].map((file) => ({ file, key: "clock", definition: anyService }))

    expect(compileDefinition({ config: {}, resources, services })).toEqual({
      mistakes: [{ file: "b.ts", message: 'service "clock" is already declared in a.ts. Rename one of them.' }],
    })
  })
})

test("all mistakes of an app are reported together, before anything is opened", async () => {
  const broken = collection("books").fields(({ f }) => ({ author: f.relation("nobody") }))
  const error = await createApp({
    resources: [{ file: "books.ts", definition: broken.definition }],
    routes: [{ file: "routes/[x].ts", path: "[x]", definition: post }],
    services: [{ file: "services/db.ts", key: "db", definition: anyService }],
    config: { limits: { rawBodyBytes: -1 } },
    root: "/nowhere",
  }).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(AppMistakesError)
  expect(String(error).split("\n").length).toBe(4)
})

test.each([
  [
    () => service({ lifecycle: "forever" as never, create: () => 0 }),
    'A service has a lifecycle: "singleton" or "request".',
  ],
  [() => service({ lifecycle: "request" } as never), "A service has a function create"],
])("a service that is none is refused where it is written: %#", (declare, message) => {
  expect(declare).toThrow(message)
})
