export { type ChannelListeners, type FollowedChannel, useChannel } from "./react/channels/use-channel.ts"
export { type Presence, usePresence } from "./react/channels/use-presence.ts"
export type { InsertedRecord, OptimisticView } from "./react/mutations/optimistic-view.ts"
export {
  type Mutation,
  type MutationOutcome,
  type MutationSettings,
  useMutation,
} from "./react/mutations/use-mutation.ts"
export type { IdleResult, LiveResult } from "./react/reads/live-result.ts"
export { useLive } from "./react/reads/use-live.ts"
export { useSession } from "./react/session/use-session.ts"
export { type Upload, useUpload } from "./react/uploads/use-upload.ts"
