export type { QuestpieClientConfig, RealtimeConfig } from "./client/client-config.ts"
export { QuestpieClientError } from "./client/client-error.ts"
export { createClient } from "./client/create-client.ts"
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
export { UploadError } from "./client/upload-error.ts"
export type { ApiErrorShape, ErrorCode, FieldError } from "./wire/api-error.ts"
export type {
  AppTypes,
  CollectionTypes,
  GlobalTypes,
  JsonValue,
  ManyInput,
  ManyOptions,
  RelatedOptions,
  RelationInput,
} from "./wire/app-config.ts"
export type { CallOptions, HeaderMap } from "./wire/call-options.ts"
export type { ChannelCalls, ChannelEvents, ChannelMember, ChannelSettings } from "./wire/channel-operations.ts"
export type { ExactGroup, ExactMembers, ExactNames, Offered, WithNames } from "./wire/exact.ts"
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
} from "./wire/filters.ts"
export type { Found, Selected } from "./wire/found.ts"
export type { IterationSettings, LiveSettings, RealtimeApi, Snapshots } from "./wire/live-operations.ts"
export type { WaitingMove } from "./wire/operations.ts"
export type { Direction } from "./wire/query-options.ts"
export type { DeleteManyResult, DeleteResult, Group, GroupedPage, Page, PurgeResult } from "./wire/results.ts"
export type { RichText, RichTextNode } from "./wire/rich-text.ts"
export { buildCollectionTopic, buildGlobalTopic, type TopicConfig } from "./wire/topic.ts"
export type { LiveCollection, LiveGlobal, LiveOptionsOf } from "./wire/typed-live.ts"
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
} from "./wire/typed-operations.ts"
export type { RouteCall, RoutePlace, RouteQuery, UntypedRoute } from "./wire/typed-routes.ts"
export type { GlobalStages, StagedWrites, Stages } from "./wire/typed-stages.ts"
export type { SystemReads } from "./wire/typed-system-reads.ts"
export type { GlobalVersions, VersionChoice, VersionFacts, VersionOf, Versions } from "./wire/typed-versions.ts"
export type { AsJson, FileUploads, UploadManyOptions, UploadOptions } from "./wire/uploads.ts"
