// Written by kit generate; changes are lost.
// @ts-nocheck
import type { ChannelPublisher, EmailInput, JobPublisher } from "kit"
import type { Kysely } from "kit/db"
import type { ServiceInstance } from "kit/services"
import type { AppCollections, AppGlobals, AppLocale, AppSearch, AppSystemCollections, AppSystemGlobals, AppUser } from "./index.js"
import type { AppCollectionBuilders, AppGlobalBuilders, AppResources } from "./rows.js"
import type { AppTables } from "./tables.js"

declare module "kit" {
  interface Register {
    collections: AppCollections
    globals: AppGlobals
    locale: AppLocale
    search: AppSearch
    systemCollections: AppSystemCollections
    systemGlobals: AppSystemGlobals
    user: AppUser
    db: Kysely<AppTables>
    emails: {
      digest: EmailInput<typeof import("../emails/digest.js").default>
      invite: EmailInput<typeof import("../emails/invite.js").default>
    }
  }

  interface CollectionBuilders extends AppCollectionBuilders {}

  interface GlobalBuilders extends AppGlobalBuilders {}

  interface Resources extends AppResources {}

  interface Services {
    clock: ServiceInstance<typeof import("../services/clock.js").default>
  }

  interface Queue {
    dailyDigest: JobPublisher<typeof import("../jobs/dailyDigest.js").default>
    notifyTeam: JobPublisher<typeof import("../jobs/notifyTeam.js").default>
    teamDigest: JobPublisher<typeof import("../jobs/teamDigest.js").default>
  }

  interface Channels {
    desk: ChannelPublisher<typeof import("../channels/desk.js").default>
  }
}
