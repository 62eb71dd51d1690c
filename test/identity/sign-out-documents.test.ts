import { collection } from "kit"
import { createClient } from "kit/client"
import { createCrdtClient } from "kit/crdt"
import { expect, onTestFinished, test, vi } from "vitest"
import { cookieJarFetch } from "../support/cookie-jar.ts"
import { identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const pages = collection("pages")
  .fields(({ f }) => ({ body: f.textarea().collaborative() }))
  .access({ read: true, update: ({ session }) => session !== null })

const WAIT = { timeout: 60_000 }

test("edits that were not sent before a sign-out wait for their user, and are sent in no other name", async () => {
  await using app = await identityApp({ resources: [pages] })
  const email = "eva@example.com"
  const eva = await app.signIn({ email })
  await app.signIn({ email: "adam@example.com" })
  const record = await app.app.system.collections["pages"]?.create({ body: "" } as never)
  const jar = cookieJarFetch()
  let isUplinkDown = false
  const client = createClient({
    baseURL: app.url,
    fetch: (url, init) =>
      isUplinkDown && url.includes("/crdt/") ? Promise.reject(new Error("offline")) : jar(url, init),
  })
  onTestFinished(() => client.realtime.destroy())
  await client.auth.signIn({ email, password: PASSWORD })
  const document = createCrdtClient(client).collections["pages"]?.document({ id: String(record?.id) })
  await document?.whenSynced()
  const editors = async () =>
    (await app.database.query("select edited_by from _kit_documents")).map((row) => row["edited_by"])

  isUplinkDown = true
  document?.doc.getText("body").insert(0, "Not sent yet")
  await client.auth.signOut()
  await vi.waitFor(() => expect(document?.status).toBe("denied"), WAIT)
  isUplinkDown = false
  await client.auth.signIn({ email: "adam@example.com", password: PASSWORD })
  await vi.waitFor(() => expect(document?.error?.message).toContain("another user"), WAIT)
  expect(document?.pending).toBeGreaterThan(0)
  expect(await editors()).toEqual([null])
  await client.auth.signIn({ email, password: PASSWORD })

  await vi.waitFor(() => expect(document?.pending).toBe(0), WAIT)
  await vi.waitFor(async () => {
    const stored = await app.app.system.collections["pages"]?.findOne({ where: { id: record?.id } as never })
    expect(stored).toMatchObject({ body: "Not sent yet" })
  }, WAIT)
  expect(await editors()).toEqual([eva.id])
})
