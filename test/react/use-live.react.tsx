import { collection } from "kit"
import { useLive } from "kit/react"
import { StrictMode } from "react"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: true, create: true, update: true, delete: true })
const WAIT = { timeout: 20_000 }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
})

afterAll(() => app[Symbol.asyncDispose]())

const titles = (page: { readonly docs: readonly { readonly title?: unknown }[] }) => page.docs.map(({ title }) => title)

test("a live list shows what is stored, then every change, and nothing is followed after it was unmounted", async () => {
  const client = clientOf<"posts">(app)
  const { posts } = client.collections
  await posts.create({ title: "One" })

  const page = mount(
    <StrictMode>
      <Probe useResult={() => useLive(posts, { orderBy: { title: "asc" } }, { select: titles }).data} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(page.text).toBe('["One"]'), WAIT)
  await posts.create({ title: "Two" })
  await vi.waitFor(() => expect(page.text).toBe('["One","Two"]'), WAIT)
  expect(client.realtime.topicCount).toBe(1)
  page.unmount()

  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(0), WAIT)
})
