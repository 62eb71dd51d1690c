import { collection, type HandlerContext, route, type SignedInContext, signedIn } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann = { user: { id: "ann", role: "writer" } }
const root = { user: { id: "root", role: "admin" } }
const isAdmin = (context: HandlerContext): context is SignedInContext => context.session?.user.role === "admin"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: signedIn })

const routes = {
  me: route()
    .get()
    .access(signedIn)
    .handler(({ session }) => session.user.id),
  "inferred/me": route()
    .get()
    .access((context) => context.session !== null)
    .handler(({ session, transaction }) => transaction(async (inner) => [session.user.id, inner.session.user.id])),
  "admin/me": route()
    .get()
    .raw()
    .access(isAdmin)
    .handler(({ session }) => Response.json(session.user.id)),
  "teams/[team]/files/[...path]": route("/teams/[team]/files/[...path]")
    .get()
    .access(({ params }) => params.team !== "closed")
    .handler(({ params }) => [params.team, params.path]),
}

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes], routes })
})

afterAll(() => app[Symbol.asyncDispose]())

test("a rule that is a type predicate denies callers without a session, and the handler of the others has one", async () => {
  const statuses = await Promise.all(["/me", "/inferred/me", "/admin/me", "/notes"].map((path) => app.fetch(path)))

  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect((await app.fetch("/me", { session: ann })).body).toBe("ann")
  expect((await app.fetch("/inferred/me", { session: ann })).body).toEqual(["ann", "ann"])
  expect((await app.fetch("/admin/me", { session: ann })).status).toBe(403)
  expect((await app.fetch("/admin/me", { session: root })).body).toBe("root")
  expect((await app.fetch("/notes", { session: ann })).body.docs).toEqual([])
})

test("the parameters of the path in route(…) are those of the request, in the rule and in the handler", async () => {
  const open = await app.client().routes.teams.$team("a b").files.$path(["x", "y"]).get()
  const closed = await app.fetch("/teams/closed/files/x")

  expect(open).toEqual(["a b", "x/y"])
  expect(closed.status).toBe(401)
})
