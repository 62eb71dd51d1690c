export { type AppDeclarations, openDefinition } from "./app/open-definition.ts"
export type {
  ClientKeptRecords,
  ClientOptions,
  ClientStagedWrites,
  ClientWrites,
  UntypedApp,
} from "./client/typed-client.ts"
export type { CheckedRules, RuleResult, RulesArgument } from "./schema/access/checked-rules.ts"
export type {
  DeclaredFields,
  DeclaredFieldsOf,
  IndexDefinition,
  ResourceOptions,
  ResourceSteps,
} from "./schema/builders/definition.ts"
export type { ChangedContext, ChangingContext, CreatingContext, OtherHooks } from "./schema/builders/hooks.ts"
export type { PrivateRules } from "./schema/builders/identity-definition.ts"
export type { LooseResource, ResourceTypes, SelectedRecord, UncheckedInput } from "./schema/compile/resource-types.ts"
export type { FieldSet } from "./schema/fields/field-set.ts"
export type { NestedMany, NestedOne } from "./schema/fields/relation.ts"
export type { FormOf } from "./schema/presentation/form-tools.ts"
export type { ListOf, PreviewOf } from "./schema/presentation/presentation.ts"
export type { SearchableOf } from "./schema/search/searchable.ts"
export type {
  AnyBlockFilter,
  BlocksFilter,
  ChoiceFilter,
  IdFilter,
  JsonFilter,
  JsonListFilter,
  ListFilter,
  LooseBlockFilter,
  ManyFilter,
  OrderedFilter,
  RelationFilter,
  TextFilter,
} from "./wire/options/filters.ts"
export type { ChannelCalls, ChannelEvents } from "./wire/realtime/channel-operations.ts"
export type { Found, Selected } from "./wire/results/found.ts"
export type { FoundRecord } from "./wire/results/search.ts"
export type { AsJson, FileUploads } from "./wire/results/uploads.ts"
export type {
  CollectionTypes,
  GlobalTypes,
  ManyInput,
  ManyOptions,
  OrderedManyInput,
  RelatedOptions,
  RelationInput,
} from "./wire/typed/app-config.ts"
export type { ColumnsOption, ExactGroup, WithOption } from "./wire/typed/exact.ts"
export type { LiveCollection, LiveGlobal, LiveOptionsOf } from "./wire/typed/typed-live.ts"
export type {
  CountAndWrites,
  CursorValue,
  GroupByOptions,
  KeptRecords,
  LocaleOptionsOf,
  PageOf,
  PageOptions,
  PageOrOffset,
  Reads,
  TypedCollection,
  TypedGlobal,
  WithCursors,
} from "./wire/typed/typed-operations.ts"
export type { RouteCall, RoutePath, RouteQuery, UntypedRoute } from "./wire/typed/typed-routes.ts"
export type { GlobalStages, StagedWrites, Stages } from "./wire/typed/typed-stages.ts"
export type { SystemReads } from "./wire/typed/typed-system-reads.ts"
export type { GlobalVersions, VersionChoice, VersionOf, Versions } from "./wire/typed/typed-versions.ts"
