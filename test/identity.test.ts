import { expect, test } from "vitest"
import { identityApp, PASSWORD, signIn } from "./support/identity-app.ts"

test("scratch", async () => {
  await using app = await identityApp()
  const up = await app.fetch("/auth/sign-up/email", { method: "POST", body: { email: "Eva@Example.com", name: "Eva", password: PASSWORD, role: "admin", emailVerified: true, id: "x" } })
  console.log(up.status, up.body, up.headers.getSetCookie())
  const eva = await signIn(app.fetch, "eva@example.com")
  console.log(eva)
  for (const headers of [{ cookie: eva.cookie }, { authorization: `Bearer ${eva.token}` }]) {
    const s = await app.fetch("/auth/get-session", { headers })
    console.log(s.status, s.body)
  }
  const self = await app.fetch("/users", { headers: { cookie: eva.cookie } })
  console.log(self.body)
  console.log((await app.fetch("/auth/list-sessions", { headers: { cookie: eva.cookie } })).body)
  console.log((await app.fetch("/auth/nope", { headers: { cookie: eva.cookie } })).body)
  const reset = await app.fetch("/auth/request-password-reset", { method: "POST", body: { email: "eva@example.com" } })
  console.log(reset.body, await app.mail(1))
  const out = await app.fetch("/auth/sign-out", { method: "POST", headers: { cookie: eva.cookie } })
  console.log(out.status, out.body, out.headers.getSetCookie())
  console.log((await app.fetch("/auth/get-session", { headers: { cookie: eva.cookie } })).body)
  const wrong = await app.fetch("/auth/sign-in/email", { method: "POST", body: { email: "eva@example.com", password: "nope nope" } })
  console.log(wrong.body)
  const dup = await app.fetch("/auth/sign-up/email", { method: "POST", body: { email: "Eva@Example.com", name: "Eva", password: PASSWORD } })
  console.log(dup.body)
  const long = await app.fetch("/auth/sign-up/email", { method: "POST", body: { email: "x@Example.com", name: "Eva".repeat(100), password: PASSWORD } })
  console.log(long.status, long.body)
  console.log(await app.database.query('select resource, kind, after from _kit_changes'))
  console.log(await app.database.query('select * from _kit_sessions'))
  expect(1).toBe(1)
})
