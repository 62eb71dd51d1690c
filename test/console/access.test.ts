// @module-tag not-about-engine

import type { KitConfig, Session } from "kit"
import { describe, expect, test } from "vitest"
import { identityApp } from "../support/worlds/identity-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const someone = (role?: string): Session => ({ user: { id: "eva", ...(role !== undefined && { role }) } })

async function flagsFor(
  access: NonNullable<Exclude<KitConfig["console"], false>>["access"],
  who: (Session | undefined)[],
) {
  await using app = await testApp({ config: { console: access === undefined ? {} : { access } } })
  const indexes = await Promise.all(who.map((session) => app.client(session).schema()))
  return indexes.map((index) => index.console)
}

describe("GET /_kit/schema says whether the caller may open the console", () => {
  test("by default the role admin may, also beside other roles", async () => {
    const who = [undefined, someone(), someone("user"), someone("editor"), someone("admin"), someone("editor,admin")]

    expect(await flagsFor(undefined, who)).toEqual([false, false, false, false, true, true])
  })

  test("a function decides for everyone who is signed in", async () => {
    const rule = ({ session }: { session: Session | null }) => session !== null && session.user.role !== "user"

    expect(await flagsFor(rule, [undefined, someone("user"), someone("editor"), someone("admin")])).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  test.each([
    ["true lets everyone in who is signed in", true, [false, true]],
    ["false lets nobody in", false, [false, false]],
    ["a function that throws lets nobody in", () => Promise.reject(new Error("broken")), [false, false]],
    ["a filter is not true", () => ({ id: "eva" }), [false, false]],
    ["undefined is not true", () => undefined, [false, false]],
    ["a promise of true lets in", () => Promise.resolve(true), [false, true]],
  ])("%s", async (_title, access, expected) => {
    expect(await flagsFor(access, [undefined, someone("admin")])).toEqual(expected)
  })

  test("an API key of an admin never opens it", async () => {
    await using app = await identityApp({ config: { console: { access: true } } })
    const { cookie } = await app.signIn({ email: "root@example.com", role: "admin" })
    const created = await app.fetch("/auth/api-keys", { method: "POST", body: { name: "ci" }, headers: { cookie } })

    const byKey = await app.fetch("/_kit/schema", { headers: { "x-api-key": created.body.key } })
    const bySession = await app.fetch("/_kit/schema", { headers: { cookie } })

    expect(created.status).toBe(201)
    expect([byKey.body.user.role, byKey.body.console]).toEqual(["admin", false])
    expect(bySession.body.console).toBe(true)
  })

  test("the answer is described again when the right changes", async () => {
    await using app = await identityApp()
    const { id, cookie } = await app.signIn({ email: "eva@example.com", role: "editor" })
    const before = await app.fetch("/_kit/schema", { headers: { cookie } })
    const root = await app.signIn({ email: "root@example.com", role: "admin" })
    const body = { userId: id, role: "admin" }
    await app.fetch("/auth/admin/set-role", { method: "POST", body, headers: { cookie: root.cookie } })

    const after = await app.fetch("/_kit/schema", {
      headers: { cookie, "if-none-match": before.headers.get("etag") ?? "" },
    })

    expect([before.body.console, after.status, after.body.console]).toEqual([false, 200, true])
  })
})
