import { route } from "kit"

/** Opens the gate, and returns how many requests were waiting. */
export default route()
  .post()
  .handler(({ gate, lease }) => {
    gate.emit("open")
    return lease.open() - 1
  })
