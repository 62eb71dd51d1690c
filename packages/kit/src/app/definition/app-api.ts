import type {
  RegisteredCollections,
  RegisteredGlobals,
  RegisteredSearch,
  RegisteredSystemCollections,
  RegisteredSystemGlobals,
} from "../../schema/context/register.ts"

/** The operations as functions for code in this process, with the rights of one caller. */
export interface AppApi {
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  readonly search: RegisteredSearch
  /**
   * Runs `work` in a transaction: everything that `work` does through its `api` is committed together, or nothing if
   * `work` throws.
   */
  transaction<Result>(work: (api: AppApi) => Promise<Result>): Promise<Result>
}

/** The operations as functions for code in this process; they bypass every rule. */
export interface SystemApi extends AppApi {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  transaction<Result>(work: (api: SystemApi) => Promise<Result>): Promise<Result>
}
