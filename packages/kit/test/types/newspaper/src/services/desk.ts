import { service } from "kit/services"

export default service({
  lifecycle: "request",
  create: ({ session }) => ({ of: session?.user.id, notes: ["empty"] }),
  dispose: (desk) => desk.notes.pop(),
})
