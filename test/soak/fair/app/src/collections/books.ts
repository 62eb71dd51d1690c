import { collection } from "kit"

export default collection("books")
  .fields(({ f }) => ({
    title: f.text().required(),
    pages: f.number().integer(),
    note: f.textarea(),
    reviews: f.relation("reviews").hasMany({ via: "book" }),
  }))
  .access({ read: true, create: true, update: true })
