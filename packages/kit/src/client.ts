export { createClient } from "./client/create-client.ts"
export { buildCollectionTopic, buildGlobalTopic } from "./client/live/topic-options.ts"
export { UploadError } from "./client/resources/upload-error.ts"
export type {
  QuestpieClientConfig,
  QuestpieClientConfig as KitClientConfig,
  RealtimeConfig,
} from "./client/transport/client-config.ts"
export { QuestpieClientError, QuestpieClientError as KitClientError } from "./client/transport/client-error.ts"
export type { Client, ClientCollection, ClientGlobal } from "./client/typed-client.ts"
export type { ApiErrorShape, ErrorCode, FieldError } from "./wire/errors/api-error.ts"
export { matchesWhere } from "./wire/matching/matches-where.ts"
export type {
  AggregateGroupInput,
  AggregateOptions,
  HavingInput,
  MeasuredFields,
  Period,
} from "./wire/options/aggregate-options.ts"
export type { CallOptions, HeaderMap } from "./wire/options/call-options.ts"
export type { Direction, TotalInput } from "./wire/options/query-options.ts"
export type { ChannelMember, ChannelSettings } from "./wire/realtime/channel-operations.ts"
export type { IterationSettings, LiveSettings, RealtimeApi, Snapshots } from "./wire/realtime/live-operations.ts"
export type { TopicConfig } from "./wire/realtime/topic.ts"
export type { AggregateGroup, AggregateGroups, Aggregates } from "./wire/results/aggregates.ts"
export type {
  Allowed,
  AppIndex,
  BlockSchema,
  CollectionMeta,
  CollectionSchema,
  FieldSchema,
  FormPartSchema,
  GlobalMeta,
  GlobalSchema,
  ListSchema,
  ListViewSchema,
  NumberType,
  OperationName,
  OptionSchema,
  PartRelationSchema,
  PartSchema,
  RecordAccess,
  RelationSchema,
  ResourceSummary,
} from "./wire/results/introspection.ts"
export type { JsonSchema } from "./wire/results/json-schema.ts"
export type { PendingTransition } from "./wire/results/operations.ts"
export type {
  CursorPage,
  DeleteManyResult,
  DeleteResult,
  Group,
  GroupedPage,
  Page,
  PageCursors,
  PurgeResult,
  TotalIs,
} from "./wire/results/results.ts"
export type { RichText, RichTextNode, RichTextVocabulary } from "./wire/results/rich-text.ts"
export type {
  FacetBucket,
  FacetOptions,
  FacetRange,
  FacetRangeCount,
  FacetValue,
  FoundRecord,
  ReindexOptions,
  ReindexResult,
  SearchMatch,
  SearchMode,
  SearchOptions,
  SearchResult,
} from "./wire/results/search.ts"
export type { FindByTitleOptions, FoundTitle, FoundTitles } from "./wire/results/titles.ts"
export type { UploadManyOptions, UploadOptions } from "./wire/results/uploads.ts"
export type { AppTypes, JsonValue } from "./wire/typed/app-config.ts"
export type {
  AdminUser,
  ClientAuth,
  ClientAuthAdmin,
  ClientSession,
  SessionWatchSettings,
  SignedIn,
  SignUpByMail,
} from "./wire/typed/typed-auth.ts"
export type { VersionFacts } from "./wire/typed/typed-versions.ts"
