import { collection } from "kit"

export default collection("teams")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .access({ read: true })
