import { EventEmitter } from "node:events"
import { service } from "kit/services"

export default service({ lifecycle: "singleton", create: () => new EventEmitter() })
