import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { AppConfig } from "../src/generated/index.ts"

test("only its author reads and publishes a draft; then everyone reads it", async () => {
  await using app = await testApp<AppConfig>()
  const ada = await app.signIn({ name: "Ada" })
  const eve = await app.signIn({ name: "Eve" })
  const { id } = await app.as(ada).collections.posts.create({ title: "Notes", author: ada.user.id })

  expect(await app.as(eve).routes.posts.publish({ posts: [id] })).toEqual({ published: [] })
  expect(await app.anonymous.collections.posts.count()).toBe(0)

  expect(await app.as(ada).routes.posts.publish({ posts: [id] })).toEqual({ published: [id] })
  expect(await app.anonymous.collections.posts.find()).toMatchObject({ docs: [{ title: "Notes" }] })
})
