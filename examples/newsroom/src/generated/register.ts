// Written by kit generate; changes are lost.
import type {} from "kit"
import type { AppCollections, AppGlobals, AppUser, AppWheres } from "./index.js"

declare module "kit" {
  interface Register {
    collections: AppCollections
    globals: AppGlobals
    where: AppWheres
    user: AppUser
  }
}
