import { collection } from "kit"

// Written by the measurement of writes, beside the same collection without a search.
export default collection("notes")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea().required(),
    views: f.number().integer().required().default(0),
  }))
  .searchable({ fields: ["body"], title: "title" })
  .access({ read: true, create: true, update: true })
