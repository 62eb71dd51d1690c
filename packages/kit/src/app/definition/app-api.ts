import type {
  RegisteredCollections,
  RegisteredGlobals,
  RegisteredSystemCollections,
  RegisteredSystemGlobals,
} from "../../schema/context/register.ts"

/** The operations in this process, with the rights of one caller. */
export interface AppApi {
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** Commits everything that `work` does through its `api` together, or nothing if `work` throws. */
  transaction<Result>(work: (api: AppApi) => Promise<Result>): Promise<Result>
}

/** The operations in this process, bypassing every rule. */
export interface SystemApi extends AppApi {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  transaction<Result>(work: (api: SystemApi) => Promise<Result>): Promise<Result>
}
