// @module-tag not-about-connections

import { route } from "kit"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { z } from "zod"
import { ann, type InterfaceWorld, interfaceWorld, journal } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld

beforeAll(async () => {
  world = await interfaceWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

const post = (path: string, body: object = {}) => world.request(path, { method: "POST", body })

describe("routes", () => {
  prove("1.3", async () => {
    expect((await post("/reports/make", { name: "all" })).body).toEqual({ name: "all", count: 1, by: ann.user.id })
    await post("/work", { text: "from a route" })
    await world.app.jobs.settle()
    expect(journal).toContain("note from a route, without input")
    await post("/greet")
    expect((await world.app.mails.next("bob@example.com")).subject).toBe("Welcome, Bob")
  })

  prove("13.1", async () => {
    const methods = [route(), route().get(), route().post(), route().put(), route().patch(), route().delete()]
    const made = methods.map((builder) => builder.handler(() => null).definition.method)

    expect(made).toEqual(["POST", "GET", "POST", "PUT", "PATCH", "DELETE"])
    expect((await world.request("/reports/replace", { method: "PUT", body: { name: "ab" } })).body.method).toBe("PUT")
    expect((await world.request("/reports/make")).status).toBe(405)
  })

  prove("13.2", async () => {
    expect(await post("/reports/make", { name: "x" })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path: "name" }] } },
    })
  })

  prove("13.3", () => {
    const built = route()
      .get()
      .handler(() => "done")

    expect(built.definition.method).toBe("GET")
    expect("get" in built).toBe(false)
  })

  prove("13.4", async () => {
    const response = await world.app.fetch("/raw", { as: ann, method: "POST" })

    expect(await response.text()).toBe(`POST ${ann.user.id}`)
  })

  prove("13.5", () => {
    const raw: any = route().raw()
    const withSchema: any = route().schema(z.object({}))

    expect(() => raw.schema(z.object({}))).toThrow()
    expect(() => withSchema.raw()).toThrow()
  })

  prove("13.6", async () => {
    const asAnonymous = await world.app.fetch("/editors", { method: "POST" })

    expect((await post("/closed")).status).toBe(403)
    expect((await post("/editors")).body).toBe("for editors")
    expect(asAnonymous.status).toBe(401)
  })

  prove("13.7", () => {
    const first = route()
    const second = first.get()

    expect(second).not.toBe(first)
    expect(Object.isFrozen(first) && Object.isFrozen(second)).toBe(true)
    expect(first.handler(() => null).definition.method).toBe("POST")
  })

  prove("13.8", async () => {
    const { body } = await post("/context")

    expect(body.members).toEqual(["collections", "globals", "db", "session", "queue", "email", "logger", "kv", "app"])
    expect(body.services).toEqual([expect.any(Number), expect.any(Number)])
  })

  prove("22.1", async () => {
    expect((await post("/reports/make", { name: "path" })).status).toBe(200)
    expect((await post("/make", { name: "path" })).status).toBe(404)
  })

  prove("22.2", async () => {
    const fromQuery = await world.request("/reports/admin-stats?name=query&count=3")
    const fromBody = await world.request("/reports/change", { method: "PATCH", body: { name: "body" } })

    expect(fromQuery.body).toEqual({ name: "query", count: 3 })
    expect(fromBody.body).toEqual({ method: "PATCH", name: "body", count: 1 })
  })

  prove("22.3", async () => {
    expect(await world.client.routes.reports.make({ name: "called" })).toMatchObject({ name: "called" })
  })

  prove("22.4", async () => {
    const { reports } = world.client.routes

    expect(await reports.adminStats.get({ name: "ab" })).toEqual({ name: "ab", count: 1 })
    expect(await reports.adminStats.GET({ name: "ab" })).toEqual({ name: "ab", count: 1 })
    expect(await reports.make.post({ name: "ab" })).toMatchObject({ name: "ab" })
    expect((await reports.replace.Put({ name: "ab" })).method).toBe("PUT")
    expect((await reports.change.patch({ name: "ab" })).method).toBe("PATCH")
    expect((await reports.remove.delete({ name: "ab" })).method).toBe("DELETE")
  })

  prove("22.5", () => {
    expect(world.client.routes.reports.adminStats.url).toBe(`${world.app.url}/reports/admin-stats`)
  })

  prove("22.6", () => {
    let requests = 0
    const client = world.connect({ fetch: () => Promise.reject(new Error(`request ${++requests}`)) })

    expect(client.routes.reports.make.url).toBe(`${world.app.url}/reports/make`)
    expect(requests).toBe(0)
  })
})

describe("jobs, services and email", () => {
  prove("14.1", async () => {
    await post("/work", { text: "named" })

    expect(await world.app.jobs.list({ name: "keep-note" })).not.toEqual([])
  })

  prove("14.2", async () => {
    await post("/work", { text: "payload" })
    await world.app.jobs.settle()

    expect(journal).toContain("note payload, without input")
  })

  prove("14.3", async () => {
    const before = (await world.app.jobs.list({ name: "keep-note" })).length
    await post("/work", { text: "once more" })

    expect((await world.app.jobs.list({ name: "keep-note" })).length).toBe(before + 1)
  })

  prove("15.1", async () => {
    const [first, second] = [await post("/context"), await post("/context")]

    expect(first.body.services[0]).toBe(second.body.services[0])
    expect(first.body.services[1]).not.toBe(second.body.services[1])
  })

  prove("15.2", async () => {
    const { body } = await post("/context")

    expect(journal).toContain(`disposed ticket ${body.services[1]}`)
    expect(journal).not.toContain(`disposed singleton ${body.services[0]}`)
  })

  prove("15.3", async () => {
    const { body } = await post("/context")

    expect(body.services).toHaveLength(2)
  })

  prove("16.1", async () => {
    await post("/greet")
    const mail = await world.app.mails.next("bob@example.com")

    expect(mail).toMatchObject({ subject: "Welcome, Bob", html: "<p>Hello.</p>" })
  })

  prove("16.2", async () => {
    await post("/greet")

    expect((await world.app.mails.next("bob@example.com")).to).toContain("bob@example.com")
  })

  prove("26.8", async () => {
    const attempts = () => journal.filter((entry) => entry === "attempt").length
    await post("/fail")
    await world.app.jobs.settle()
    const first = attempts()
    await world.app.clock.advance("1h")
    const second = attempts()
    await world.app.clock.advance("10h")

    expect([first, second >= 2, attempts()]).toEqual([1, true, 3])
  })
})
