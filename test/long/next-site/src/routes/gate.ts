import { route } from "kit"

/** Opens the gate, and says how many requests were under way. */
export default route()
  .post()
  .handler(({ gate, lease }) => {
    gate.emit("open")
    return lease.open() - 1
  })
