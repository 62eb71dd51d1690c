// Written by kit generate; changes are lost.
// @ts-nocheck
import type {} from "kit"
import type { AppCollections, AppGlobals, AppLocale, AppSystemCollections, AppSystemGlobals, AppUser } from "./index.js"
import type { AppCollectionBuilders, AppGlobalBuilders, AppResources } from "./rows.js"

declare module "kit" {
  interface Register {
    collections: AppCollections
    globals: AppGlobals
    locale: AppLocale
    systemCollections: AppSystemCollections
    systemGlobals: AppSystemGlobals
    user: AppUser
    emails: {}
  }

  interface CollectionBuilders extends AppCollectionBuilders {}

  interface GlobalBuilders extends AppGlobalBuilders {}

  interface Resources extends AppResources {}
}
