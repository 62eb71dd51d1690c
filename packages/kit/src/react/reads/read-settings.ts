import type { QuestpieClientError } from "../../client/transport/client-error.ts"

/** The settings of a hook that reads; they never change what is sent to the server. */
export interface ReadSettingsOf<Data, Selected> {
  /** Returns the part of the data that the component shows. It renders again only if that part has changed. */
  select?: ((data: Data) => Selected) | undefined
  /** `false` drops the data as soon as the options change. By default it stays until the new data has arrived. */
  keep?: boolean | undefined
  /** Data to show until the first result has arrived. */
  initial?: NoInfer<Data> | undefined
  /** Called with each new error, in place of the provider's `onError`. */
  onError?: ((error: QuestpieClientError) => void) | undefined
}
