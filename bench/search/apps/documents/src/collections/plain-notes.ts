import { collection } from "kit"

// The same as notes, but not searchable.
export default collection("plainNotes")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea().required(),
    views: f.number().integer().required().default(0),
  }))
  .access({ read: true, create: true, update: true })
