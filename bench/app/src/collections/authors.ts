import { collection } from "kit"

export default collection("authors")
  .fields(({ f }) => ({
    name: f.text().required(),
    email: f.text().required(),
  }))
  .access({ read: true, create: true, update: true, delete: true })
