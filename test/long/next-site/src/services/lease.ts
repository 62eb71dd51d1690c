import { service } from "kit/services"

let open = 0

/** Held for as long as a request lives. */
export default service({
  lifecycle: "request",
  create: () => {
    open += 1
    return { open: () => open }
  },
  dispose: () => {
    open -= 1
  },
})
