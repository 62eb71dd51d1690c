import { collection } from "kit"

export default collection("media").upload({}).access({ read: true, create: true })
