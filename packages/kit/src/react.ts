export { type ChannelListeners, type FollowedChannel, useChannel } from "./react/channels/use-channel.ts"
export { type Presence, usePresence } from "./react/channels/use-presence.ts"
export { type ShownLocale, useLocale } from "./react/locale/use-locale.ts"
export type { InsertedRecord, OptimisticView, PatchedRecord } from "./react/mutations/optimistic-view.ts"
export {
  type Mutation,
  type MutationOutcome,
  type MutationSettings,
  useMutation,
} from "./react/mutations/use-mutation.ts"
export { KitProvider, type KitProviderProps } from "./react/provider/kit-provider.ts"
export { type PreloadedEntry, type PreloadSettings, preload } from "./react/provider/preload.ts"
export type { FindResult, IdleRead } from "./react/reads/find-result.ts"
export type { IdleResult, LiveResult } from "./react/reads/live-result.ts"
export type { ReadHook } from "./react/reads/read-hook.ts"
export type { ReadSettingsOf } from "./react/reads/read-settings.ts"
export { useCount } from "./react/reads/use-count.ts"
export { useFind } from "./react/reads/use-find.ts"
export { useLive } from "./react/reads/use-live.ts"
export { useFindSuspense, useLiveSuspense } from "./react/reads/use-suspense.ts"
export { useRoute } from "./react/routes/use-route.ts"
export { useSession } from "./react/session/use-session.ts"
export { type Upload, useUpload } from "./react/uploads/use-upload.ts"
