import type { RegisteredCollections, RegisteredGlobals } from "../schema/register.ts"

/** The operations, in this process, under the rights of one caller. */
export interface AppApi {
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** Everything done through the inner operations is stored together, or not at all if `work` throws. */
  transaction<Result>(work: (api: AppApi) => Promise<Result>): Promise<Result>
}
