// Written by kit generate; changes are lost.
import type { EmailInput } from "kit"
import type { ServiceInstance } from "kit/services"
import type { AppCollections, AppGlobals, AppUser, AppWheres } from "./index.js"
import type { AppTables } from "./tables.js"

declare module "kit" {
  interface Register {
    collections: AppCollections
    globals: AppGlobals
    where: AppWheres
    user: AppUser
    tables: AppTables
    emails: {
      invite: EmailInput<typeof import("../emails/invite.js").default>
    }
  }

  interface Services {
    clock: ServiceInstance<typeof import("../services/clock.js").default>
  }
}
