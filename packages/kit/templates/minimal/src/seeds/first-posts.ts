import { seed } from "kit"

/** The first data of a new database. `kit dev` runs it once. */
export default seed(async ({ collections, users }) => {
  // The role admin opens the console at /admin.
  const ada = await users.create({ name: "Ada", email: "ada@example.com", password: "first-program", role: "admin" })

  await collections.posts.create({
    title: "Hello",
    body: "Everyone can read this post. It comes from src/seeds.",
    status: "published",
    author: ada.id,
  })
  await collections.posts.create({ title: "Not yet", body: "Only Ada can read this draft.", author: ada.id })
})
