import { collection } from "kit"

export default collection("authors")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .access({ read: true })
