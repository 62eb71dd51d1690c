export { createClient } from "./client/create-client.ts"
export { UploadError } from "./client/resources/upload-error.ts"
export type {
  QuestpieClientConfig,
  QuestpieClientConfig as KitClientConfig,
  RealtimeConfig,
} from "./client/transport/client-config.ts"
export { QuestpieClientError, QuestpieClientError as KitClientError } from "./client/transport/client-error.ts"
export type {
  Client,
  ClientCollection,
  ClientGlobal,
  ClientKeptRecords,
  ClientOptions,
  ClientStagedWrites,
  ClientWrites,
  UntypedApp,
} from "./client/typed-client.ts"
export type { ApiErrorShape, ErrorCode, FieldError } from "./wire/errors/api-error.ts"
export type { CallOptions, HeaderMap } from "./wire/options/call-options.ts"
export type {
  ChoiceFilter,
  IdFilter,
  JsonFilter,
  JsonListFilter,
  ListFilter,
  ManyFilter,
  OrderedFilter,
  RelationFilter,
  TextFilter,
} from "./wire/options/filters.ts"
export type { Direction } from "./wire/options/query-options.ts"
export type { ChannelCalls, ChannelEvents, ChannelMember, ChannelSettings } from "./wire/realtime/channel-operations.ts"
export type { IterationSettings, LiveSettings, RealtimeApi, Snapshots } from "./wire/realtime/live-operations.ts"
export { buildCollectionTopic, buildGlobalTopic, type TopicConfig } from "./wire/realtime/topic.ts"
export type { Found, Selected } from "./wire/results/found.ts"
export type { WaitingMove } from "./wire/results/operations.ts"
export type { DeleteManyResult, DeleteResult, Group, GroupedPage, Page, PurgeResult } from "./wire/results/results.ts"
export type { RichText, RichTextNode } from "./wire/results/rich-text.ts"
export type { AsJson, FileUploads, UploadManyOptions, UploadOptions } from "./wire/results/uploads.ts"
export type {
  AppTypes,
  CollectionTypes,
  GlobalTypes,
  JsonValue,
  ManyInput,
  ManyOptions,
  RelatedOptions,
  RelationInput,
} from "./wire/typed/app-config.ts"
export type { ExactGroup, ExactMembers, ExactNames, Offered, WithNames } from "./wire/typed/exact.ts"
export type { LiveCollection, LiveGlobal, LiveOptionsOf } from "./wire/typed/typed-live.ts"
export type {
  CountAndWrites,
  GroupByOptions,
  KeptRecords,
  LocaleOptionsOf,
  PageOf,
  PageOptions,
  Reads,
  TypedCollection,
  TypedGlobal,
} from "./wire/typed/typed-operations.ts"
export type { RouteCall, RoutePlace, RouteQuery, UntypedRoute } from "./wire/typed/typed-routes.ts"
export type { GlobalStages, StagedWrites, Stages } from "./wire/typed/typed-stages.ts"
export type { SystemReads } from "./wire/typed/typed-system-reads.ts"
export type { GlobalVersions, VersionChoice, VersionFacts, VersionOf, Versions } from "./wire/typed/typed-versions.ts"
