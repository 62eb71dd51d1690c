import { seed } from "kit"

export default seed(async ({ collections }) => {
  await collections.posts.create({ title: "Hello", body: "This came from src/seeds.", status: "published" })
  await collections.posts.create({ title: "Not yet", body: "Only its author will see this." })
})
