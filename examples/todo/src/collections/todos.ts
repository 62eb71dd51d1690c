import { collection } from "kit"

export default collection("todos")
  .fields(({ f }) => ({ title: f.text(200).required(), done: f.boolean().required().default(false) }))
  .access({ read: true, create: true, update: true, delete: true })
