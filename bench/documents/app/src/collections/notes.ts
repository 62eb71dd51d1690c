import { collection } from "kit"

export default collection("notes")
  .fields(({ f }) => ({ title: f.text(), body: f.textarea().collaborative() }))
  .access({
    read: ({ session }) => session !== null,
    create: ({ session }) => session !== null,
    update: ({ session }) => session !== null,
  })
