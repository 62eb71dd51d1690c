import { collection } from "kit"

export default collection("reviews")
  .fields(({ f }) => ({
    book: f.relation("books"),
    stars: f.number().integer(),
    text: f.textarea(),
  }))
  .access({ read: true, create: true, update: true })
