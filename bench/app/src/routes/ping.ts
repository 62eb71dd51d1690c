import { route } from "kit"

export default route()
  .get()
  .handler(() => ({ status: "ok", names: ["one", "two", "three"] }))
