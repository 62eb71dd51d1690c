import type {
  RegisteredCollections,
  RegisteredGlobals,
  RegisteredSystemCollections,
  RegisteredSystemGlobals,
} from "../../schema/context/register.ts"

/** The operations, in this process, under the rights of one caller. */
export interface AppApi {
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** Everything done through the inner operations is stored together, or not at all if `work` throws. */
  transaction<Result>(work: (api: AppApi) => Promise<Result>): Promise<Result>
}

/** The operations, in this process, past every rule. */
export interface SystemApi extends AppApi {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  transaction<Result>(work: (api: SystemApi) => Promise<Result>): Promise<Result>
}
