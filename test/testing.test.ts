import { collection, job } from "kit"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { schemaOf } from "./support/job-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(50).required() }))
  .access({ read: true, create: ({ session }) => session?.user.role === "editor" })

test("x", async () => {
  const times: number[] = []
  for (let i = 0; i < 8; i++) {
    const s = performance.now()
    await using app = await testApp({ collections: [posts], jobs: i % 2 ? { a: job({ name: "a", schema: schemaOf(), handler: () => {} }) } : {} })
    times.push(Math.round(performance.now() - s))
    const editor = await app.signIn({ role: "editor" })
    await app.as(editor).collections["posts"]?.create({ title: "A" })
    expect(await app.anonymous.collections["posts"]?.count()).toBe(1)
    await app.clock.advance("1h")
  }
  console.log(times)
})
