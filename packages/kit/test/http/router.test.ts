import { describe, expect, test } from "vitest"
import type { Method } from "../../src/http/endpoint.ts"
import { createRouter } from "../../src/http/router.ts"

function routerOf(...rows: readonly `${Method} ${string}`[]) {
  const endpoints = rows.map((row) => {
    const [method, path] = row.split(" ") as [Method, string]
    return { method, path, run: () => Promise.reject(new Error(row)) }
  })
  const route = createRouter(endpoints)
  return (method: string, path: string) => {
    const { endpoint, params } = route(method, path)
    return { found: `${endpoint.method} ${endpoint.path}`, params }
  }
}

const route = routerOf(
  "GET /health",
  "GET /:collection",
  "POST /:collection",
  "GET /:collection/count",
  "GET /:collection/:id",
  "PATCH /:collection/:id",
  "POST /:collection/:id/restore",
  "GET /globals/:name",
  "POST /teams/invite",
  "GET /teams/:team",
  "PUT /teams/:team/files/*path",
  "GET /docs/*page",
  "GET /docs/latest/changes",
)

describe("the most fixed path wins", () => {
  test.each([
    ["GET", "/health", "GET /health", {}],
    ["GET", "/posts", "GET /:collection", { collection: "posts" }],
    ["GET", "/posts/count", "GET /:collection/count", { collection: "posts" }],
    ["GET", "/posts/7", "GET /:collection/:id", { collection: "posts", id: "7" }],
    ["POST", "/posts/7/restore", "POST /:collection/:id/restore", { collection: "posts", id: "7" }],
    ["GET", "/globals/count", "GET /globals/:name", { name: "count" }],
    ["POST", "/teams/invite", "POST /teams/invite", {}],
    ["GET", "/teams/a%2Fb", "GET /teams/:team", { team: "a/b" }],
    ["GET", "/teams/count", "GET /teams/:team", { team: "count" }],
    ["PUT", "/teams/x/files/a/b%20c", "PUT /teams/:team/files/*path", { team: "x", path: "a/b c" }],
    ["GET", "/docs/latest/changes", "GET /docs/latest/changes", {}],
  ])("%s %s", (method, path, found, params) => {
    expect(route(method, path)).toEqual({ found, params })
  })

  test.each([
    ["GET", "/docs/latest", "GET /docs/*page", { page: "latest" }],
    ["GET", "/docs/latest/other", "GET /docs/*page", { page: "latest/other" }],
    ["POST", "/teams/7/restore", "POST /:collection/:id/restore", { collection: "teams", id: "7" }],
    ["GET", "/docs", "GET /:collection", { collection: "docs" }],
  ])("a way that leads nowhere is left for the next best: %s %s", (method, path, found, params) => {
    expect(route(method, path)).toEqual({ found, params })
  })
})

describe("what is not there", () => {
  test.each([
    "/",
    "//",
    "/posts/",
    "/posts//restore",
    "/posts/7/nothing",
    "/docs/a//b",
    "/docs/../x",
    "/docs/a/%2E%2E",
  ])("%s", (path) => {
    expect(() => route("GET", path)).toThrow("There is no such path.")
  })

  test("a method that the found path does not take, though a looser path would", () => {
    expect(() => route("PATCH", "/posts/count")).toThrow("This path takes GET, HEAD.")
    expect(() => route("GET", "/teams/invite")).toThrow("This path takes POST.")
  })

  test("a path that is not encoded correctly", () => {
    expect(() => route("GET", "/posts/%E0%A4")).toThrow("not percent-encoded")
  })

  test("names of object members are names like any other", () => {
    expect(route("GET", "/constructor/__proto__").params).toEqual({ collection: "constructor", id: "__proto__" })
  })
})
