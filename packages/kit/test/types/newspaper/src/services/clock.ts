import { service } from "kit/services"

export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date(0) }) })
