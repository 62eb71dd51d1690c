import { collection } from "kit"

export default collection("notes")
  .fields(({ f }) => ({ title: f.text(200).required(), views: f.number().bigint() }))
  .access({ read: true, create: ({ session }) => session !== null })
