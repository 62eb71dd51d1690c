export { type Lifecycle, Service, type ServiceInstance, service } from "./schema/service.ts"
