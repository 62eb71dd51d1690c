import { collection } from "kit"

export default collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    slug: f.text().required().unique(),
    body: f.textarea(),
    status: f.select(["draft", "review", "published", "archived"]).required().default("draft"),
    views: f.number().integer().required().default(0),
    published: f.boolean().required().default(false),
    publishedAt: f.datetime(),
    author: f.relation("authors"),
  }))
  .access({ read: true, create: true, update: true, delete: true })
