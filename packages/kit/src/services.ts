export { type Lifecycle, Service, type ServiceInstance, service } from "./schema/builders/service.ts"
