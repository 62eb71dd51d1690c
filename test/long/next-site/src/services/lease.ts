import { service } from "kit/services"

let open = 0

/** Held for the lifetime of a request. */
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
