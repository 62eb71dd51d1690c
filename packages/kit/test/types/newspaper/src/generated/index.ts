// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  CallOptions,
  Direction,
  JsonValue,
  Page,
  RichText,
} from "kit/client"
import type {
  AnyBlockFilter,
  BlocksFilter,
  ChoiceFilter,
  ClientKeptRecords,
  ClientOptions,
  ClientStagedWrites,
  ClientWrites,
  ColumnsOption,
  CountAndWrites,
  CursorValue,
  ExactGroup,
  Found,
  FoundRecord,
  GlobalStages,
  GlobalVersions,
  GroupByOptions,
  IdFilter,
  JsonFilter,
  JsonListFilter,
  KeptRecords,
  ListFilter,
  LiveCollection,
  LocaleOptionsOf,
  ManyFilter,
  ManyInput,
  ManyOptions,
  OrderedFilter,
  OrderedManyInput,
  PageOf,
  PageOptions,
  PageOrOffset,
  Reads,
  RelatedOptions,
  RelationFilter,
  RelationInput,
  RouteCall,
  RoutePath,
  RouteQuery,
  Selected,
  StagedWrites,
  Stages,
  SystemReads,
  TextFilter,
  TypedGlobal,
  Versions,
  WithCursors,
  WithOption,
} from "kit/generated"
import type {} from "./register.js"

export type AppLocale = "en" | "sk" | "cs" | "de" | "pt-BR"

export interface ByLocale<Value> {
  "en"?: Value
  "sk"?: Value
  "cs"?: Value
  "de"?: Value
  "pt-BR"?: Value
}

export interface ArticlesRecord {
  id: string
  title: string
  body: string | null
  lead: string | null
  heard: Date | null
  sources: JsonValue<typeof import("../collections/articles.js").default, "sources"> | null
  status: "idea" | "writing" | "done"
  featured: boolean | null
  words: number | null
  views: bigint | null
  price: string | null
  publishedAt: Date | null
  meta: JsonValue<typeof import("../collections/articles.js").default, "meta"> | null
  contact: string | null
  link: string | null
  day: string | null
  opens: string | null
  topics: ("sport" | "culture")[]
  keywords: string[] | null
  moments: Date[] | null
  place: { city: string; since: Date | null; size: bigint | null } | null
  links: { url: string; label: string | null }[] | null
  page: ArticlesPageBlock[] | null
  cast: { role: string | null; person: string }[] | null
  teaser: ArticlesTeaserBlock[] | null
  story: RichText | null
  shout: JsonValue<typeof import("../collections/articles.js").default, "shout">
  letters: number
  author: string
  editor: string | null
  notes?: string | null
  stage: "draft" | "published"
  changedSincePublished?: boolean | null
  revision: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

export interface ArticlesCreate extends ArticlesUpdate {
  title: string
  author: PeopleReference
}

export interface ArticlesUpdate {
  title?: string
  body?: string | null
  lead?: string | null
  heard?: Date | string | null
  sources?: JsonValue<typeof import("../collections/articles.js").default, "sources"> | null
  status?: "idea" | "writing" | "done"
  featured?: boolean | null
  words?: number | null
  price?: string | number | null
  publishedAt?: Date | string | null
  meta?: JsonValue<typeof import("../collections/articles.js").default, "meta"> | null
  contact?: string | null
  link?: string | null
  day?: string | null
  opens?: string | null
  topics?: readonly ("sport" | "culture")[]
  keywords?: readonly string[] | null
  moments?: readonly (Date | string)[] | null
  place?: { city: string; since?: Date | string | null; size?: bigint | number | null } | null
  links?: readonly { url: string; label?: string | null }[] | null
  page?: readonly ArticlesPageBlockInput[] | null
  cast?: readonly { role?: string | null; person: string }[] | null
  teaser?: readonly ArticlesTeaserBlockInput[] | null
  story?: RichText | null
  author?: PeopleReference
  editor?: PeopleReference | null
  teams?: OrderedManyInput<TeamsCreate, TeamsUpdate, Pick<TeamsRecord, "id">>
  notes?: string | null
}

export interface ArticlesWhere {
  id?: IdFilter
  title?: TextFilter
  body?: TextFilter
  lead?: TextFilter
  heard?: OrderedFilter<Date | string>
  sources?: JsonFilter
  status?: ChoiceFilter<"idea" | "writing" | "done">
  featured?: ChoiceFilter<boolean>
  words?: OrderedFilter<number>
  views?: OrderedFilter<bigint | number>
  price?: OrderedFilter<string | number>
  publishedAt?: OrderedFilter<Date | string>
  meta?: JsonFilter
  contact?: TextFilter
  link?: TextFilter
  day?: OrderedFilter<string>
  opens?: OrderedFilter<string>
  topics?: ListFilter<"sport" | "culture">
  keywords?: ListFilter<string>
  moments?: ListFilter<Date | string>
  place?: JsonFilter
  links?: JsonListFilter
  page?: BlocksFilter<ArticlesPageBlockFilter>
  cast?: JsonListFilter
  teaser?: BlocksFilter<ArticlesTeaserBlockFilter>
  story?: JsonFilter
  letters?: OrderedFilter<number>
  author?: RelationFilter<PeopleWhere>
  editor?: RelationFilter<PeopleWhere>
  teams?: ManyFilter<TeamsWhere>
  notes?: TextFilter
  stage?: ChoiceFilter<"draft" | "published">
  changedSincePublished?: ChoiceFilter<boolean>
  revision?: OrderedFilter<number>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  deletedAt?: OrderedFilter<Date | string>
  AND?: readonly ArticlesWhere[]
  OR?: readonly ArticlesWhere[]
  NOT?: ArticlesWhere
}

export interface ArticlesOrderBy {
  id?: Direction
  title?: Direction
  body?: Direction
  lead?: Direction
  heard?: Direction
  status?: Direction
  featured?: Direction
  words?: Direction
  views?: Direction
  price?: Direction
  publishedAt?: Direction
  contact?: Direction
  link?: Direction
  day?: Direction
  opens?: Direction
  letters?: Direction
  author?: Direction | PeopleOrderBy
  editor?: Direction | PeopleOrderBy
  notes?: Direction
  stage?: Direction
  changedSincePublished?: Direction
  revision?: Direction
  createdAt?: Direction
  updatedAt?: Direction
  deletedAt?: Direction
}

export type ArticlesColumns = { [Name in keyof ArticlesRecord]?: boolean }

export interface ArticlesWith {
  author?: boolean | RelatedOptions<PeopleTypes>
  editor?: boolean | RelatedOptions<PeopleTypes>
  teams?: boolean | ManyOptions<TeamsTypes>
  page?: ArticlesPageParts
  cast?: ArticlesCastParts
  teaser?: ArticlesTeaserParts
}

export interface ArticlesRelations {
  author: PeopleTypes
  editor: PeopleTypes
  teams: TeamsTypes[]
  page: { blocks: { hero: { face: PeopleTypes }; quote: { sources: { items: ArticlesTypes } }; columns: { left: { blocks: { note: { team: TeamsTypes } } } } } }
  cast: { items: { members: { person: PeopleTypes } } }
  teaser: { blocks: { card: { person: PeopleTypes } } }
}

export type ArticlesPageBlock = ArticlesPageHeroBlock | ArticlesPageQuoteBlock | ArticlesPageColumnsBlock

export type ArticlesPageBlockInput = ArticlesPageHeroBlockInput | ArticlesPageQuoteBlockInput | ArticlesPageColumnsBlockInput

export type ArticlesPageBlockFilter = ArticlesPageHeroBlockFilter | ArticlesPageQuoteBlockFilter | ArticlesPageColumnsBlockFilter | ArticlesPageAnyBlockFilter

export interface ArticlesPageAnyBlockFilter extends AnyBlockFilter<"hero" | "quote" | "columns", ArticlesPageBlockFilter> {
  heading?: never
  shownAt?: never
  big?: never
  face?: never
  text?: never
  by?: never
  sources?: never
  left?: never
}

export interface ArticlesPageHeroBlock {
  type: "hero"
  id: string
  heading: string
  shownAt: Date | null
  big: boolean
  face: string | null
}

export interface ArticlesPageHeroBlockInput {
  type: "hero"
  id?: string
  heading: string
  shownAt?: Date | string | null
  big?: boolean
  face?: string | null
}

export interface ArticlesPageHeroBlockFilter {
  type: "hero"
  heading?: TextFilter
  shownAt?: OrderedFilter<Date | string>
  big?: ChoiceFilter<boolean>
  face?: IdFilter
  AND?: readonly ArticlesPageBlockFilter[]
  OR?: readonly ArticlesPageBlockFilter[]
  NOT?: ArticlesPageBlockFilter
}

export interface ArticlesPageQuoteBlock {
  type: "quote"
  id: string
  text: string
  by: string | null
  sources: string[] | null
}

export interface ArticlesPageQuoteBlockInput {
  type: "quote"
  id?: string
  text: string
  by?: string | null
  sources?: readonly string[] | null
}

export interface ArticlesPageQuoteBlockFilter {
  type: "quote"
  text?: TextFilter
  by?: TextFilter
  sources?: ListFilter<string>
  AND?: readonly ArticlesPageBlockFilter[]
  OR?: readonly ArticlesPageBlockFilter[]
  NOT?: ArticlesPageBlockFilter
}

export interface ArticlesPageColumnsBlock {
  type: "columns"
  id: string
  left: ArticlesPageColumnsLeftBlock[]
}

export interface ArticlesPageColumnsBlockInput {
  type: "columns"
  id?: string
  left: readonly ArticlesPageColumnsLeftBlockInput[]
}

export interface ArticlesPageColumnsBlockFilter {
  type: "columns"
  left?: BlocksFilter<ArticlesPageColumnsLeftBlockFilter>
  AND?: readonly ArticlesPageBlockFilter[]
  OR?: readonly ArticlesPageBlockFilter[]
  NOT?: ArticlesPageBlockFilter
}

export type ArticlesPageColumnsLeftBlock = ArticlesPageColumnsLeftNoteBlock | ArticlesPageColumnsLeftRuleBlock

export type ArticlesPageColumnsLeftBlockInput = ArticlesPageColumnsLeftNoteBlockInput | ArticlesPageColumnsLeftRuleBlockInput

export type ArticlesPageColumnsLeftBlockFilter = ArticlesPageColumnsLeftNoteBlockFilter | ArticlesPageColumnsLeftRuleBlockFilter | ArticlesPageColumnsLeftAnyBlockFilter

export interface ArticlesPageColumnsLeftAnyBlockFilter extends AnyBlockFilter<"note" | "rule", ArticlesPageColumnsLeftBlockFilter> {
  text?: never
  team?: never
}

export interface ArticlesPageColumnsLeftNoteBlock {
  type: "note"
  id: string
  text: string | null
  team: string | null
}

export interface ArticlesPageColumnsLeftNoteBlockInput {
  type: "note"
  id?: string
  text?: string | null
  team?: string | null
}

export interface ArticlesPageColumnsLeftNoteBlockFilter {
  type: "note"
  text?: TextFilter
  team?: IdFilter
  AND?: readonly ArticlesPageColumnsLeftBlockFilter[]
  OR?: readonly ArticlesPageColumnsLeftBlockFilter[]
  NOT?: ArticlesPageColumnsLeftBlockFilter
}

export interface ArticlesPageColumnsLeftRuleBlock {
  type: "rule"
  id: string
}

export interface ArticlesPageColumnsLeftRuleBlockInput {
  type: "rule"
  id?: string
}

export interface ArticlesPageColumnsLeftRuleBlockFilter {
  type: "rule"
  AND?: readonly ArticlesPageColumnsLeftBlockFilter[]
  OR?: readonly ArticlesPageColumnsLeftBlockFilter[]
  NOT?: ArticlesPageColumnsLeftBlockFilter
}

export type ArticlesTeaserBlock = ArticlesTeaserCardBlock

export type ArticlesTeaserBlockInput = ArticlesTeaserCardBlockInput

export type ArticlesTeaserBlockFilter = ArticlesTeaserCardBlockFilter | ArticlesTeaserAnyBlockFilter

export interface ArticlesTeaserAnyBlockFilter extends AnyBlockFilter<"card", ArticlesTeaserBlockFilter> {
  person?: never
}

export interface ArticlesTeaserCardBlock {
  type: "card"
  id: string
  person: string | null
}

export interface ArticlesTeaserCardBlockInput {
  type: "card"
  id?: string
  person?: string | null
}

export interface ArticlesTeaserCardBlockFilter {
  type: "card"
  person?: IdFilter
  AND?: readonly ArticlesTeaserBlockFilter[]
  OR?: readonly ArticlesTeaserBlockFilter[]
  NOT?: ArticlesTeaserBlockFilter
}

export interface ArticlesPageParts {
  hero?: { face?: boolean | RelatedOptions<PeopleTypes> }
  quote?: { sources?: boolean | RelatedOptions<ArticlesTypes> }
  columns?: { left?: { note?: { team?: boolean | RelatedOptions<TeamsTypes> } } }
}

export interface ArticlesCastParts {
  person?: boolean | RelatedOptions<PeopleTypes>
}

export interface ArticlesTeaserParts {
  card?: { person?: boolean | RelatedOptions<PeopleTypes> }
}

export type ArticlesReference = RelationInput<ArticlesCreate, Pick<ArticlesRecord, "id">>

export interface ArticlesTypes {
  record: ArticlesRecord
  create: ArticlesCreate
  update: ArticlesUpdate
  where: ArticlesWhere
  orderBy: ArticlesOrderBy
  columns: ArticlesColumns
  with: ArticlesWith
  relations: ArticlesRelations
  locale: AppLocale
  byLocale: ArticlesTypesByLocale
  expectedRevision: number
  stage: "draft" | "published"
  includeDeleted: boolean
  client: ArticlesClient
}

export interface ArticlesRecordByLocale {
  id: string
  title: string
  body: string | null
  lead: ByLocale<string> | null
  heard: ByLocale<Date> | null
  sources: ByLocale<JsonValue<typeof import("../collections/articles.js").default, "sources">> | null
  status: "idea" | "writing" | "done"
  featured: boolean | null
  words: number | null
  views: bigint | null
  price: string | null
  publishedAt: Date | null
  meta: JsonValue<typeof import("../collections/articles.js").default, "meta"> | null
  contact: string | null
  link: string | null
  day: string | null
  opens: string | null
  topics: ("sport" | "culture")[]
  keywords: string[] | null
  moments: Date[] | null
  place: { city: string; since: Date | null; size: bigint | null } | null
  links: { url: string; label: string | null }[] | null
  page: ArticlesPageBlock[] | null
  cast: { role: string | null; person: string }[] | null
  teaser: ByLocale<ArticlesTeaserBlock[]> | null
  story: RichText | null
  shout: JsonValue<typeof import("../collections/articles.js").default, "shout">
  letters: number
  author: string
  editor: string | null
  notes?: string | null
  stage: "draft" | "published"
  changedSincePublished?: boolean | null
  revision: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

export interface ArticlesRelationsByLocale {
  author: PeopleTypesByLocale
  editor: PeopleTypesByLocale
  teams: TeamsTypesByLocale[]
  page: { blocks: { hero: { face: PeopleTypesByLocale }; quote: { sources: { items: ArticlesTypesByLocale } }; columns: { left: { blocks: { note: { team: TeamsTypesByLocale } } } } } }
  cast: { items: { members: { person: PeopleTypesByLocale } } }
  teaser: { locales: { blocks: { card: { person: PeopleTypesByLocale } } } }
}

export interface ArticlesTypesByLocale {
  record: ArticlesRecordByLocale
  create: ArticlesCreate
  update: ArticlesUpdate
  where: ArticlesWhere
  orderBy: ArticlesOrderBy
  columns: ArticlesColumns
  with: ArticlesWith
  relations: ArticlesRelationsByLocale
  locale: AppLocale
  byLocale: ArticlesTypesByLocale
  expectedRevision: number
  stage: "draft" | "published"
  includeDeleted: boolean
}

export interface PeopleRecord {
  id: string
  name: string
  email: string
  bio: string | null
  team: string | null
  boss: string | null
  createdAt: Date
  updatedAt: Date
}

export interface PeopleCreate extends PeopleUpdate {
  name: string
  email: string
}

export interface PeopleUpdate {
  name?: string
  email?: string
  bio?: string | null
  team?: TeamsReference | null
  boss?: PeopleReference | null
  articles?: ManyInput<Omit<ArticlesCreate, "author">, ArticlesUpdate, Pick<ArticlesRecord, "id">>
}

export interface PeopleWhere {
  id?: IdFilter
  name?: TextFilter
  email?: TextFilter
  bio?: TextFilter
  team?: RelationFilter<TeamsWhere>
  boss?: RelationFilter<PeopleWhere>
  articles?: ManyFilter<ArticlesWhere>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly PeopleWhere[]
  OR?: readonly PeopleWhere[]
  NOT?: PeopleWhere
}

export interface PeopleOrderBy {
  id?: Direction
  name?: Direction
  email?: Direction
  bio?: Direction
  team?: Direction | TeamsOrderBy
  boss?: Direction | PeopleOrderBy
  createdAt?: Direction
  updatedAt?: Direction
}

export type PeopleColumns = { [Name in keyof PeopleRecord]?: boolean }

export interface PeopleWith {
  team?: boolean | RelatedOptions<TeamsTypes>
  boss?: boolean | RelatedOptions<PeopleTypes>
  articles?: boolean | ManyOptions<ArticlesTypes>
}

export interface PeopleRelations {
  team: TeamsTypes
  boss: PeopleTypes
  articles: ArticlesTypes[]
}

export type PeopleReference = RelationInput<PeopleCreate, Pick<PeopleRecord, "id" | "email">>

export interface PeopleTypes {
  record: PeopleRecord
  create: PeopleCreate
  update: PeopleUpdate
  where: PeopleWhere
  orderBy: PeopleOrderBy
  columns: PeopleColumns
  with: PeopleWith
  relations: PeopleRelations
  locale: AppLocale
  byLocale: PeopleTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: PeopleClient
}

export interface PeopleRecordByLocale {
  id: string
  name: string
  email: string
  bio: string | null
  team: string | null
  boss: string | null
  createdAt: Date
  updatedAt: Date
}

export interface PeopleRelationsByLocale {
  team: TeamsTypesByLocale
  boss: PeopleTypesByLocale
  articles: ArticlesTypesByLocale[]
}

export interface PeopleTypesByLocale {
  record: PeopleRecordByLocale
  create: PeopleCreate
  update: PeopleUpdate
  where: PeopleWhere
  orderBy: PeopleOrderBy
  columns: PeopleColumns
  with: PeopleWith
  relations: PeopleRelationsByLocale
  locale: AppLocale
  byLocale: PeopleTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface TeamsRecord {
  id: string
  name: string
}

export interface TeamsCreate extends TeamsUpdate {
  name: string
}

export interface TeamsUpdate {
  name?: string
}

export interface TeamsWhere {
  id?: IdFilter
  name?: TextFilter
  AND?: readonly TeamsWhere[]
  OR?: readonly TeamsWhere[]
  NOT?: TeamsWhere
}

export interface TeamsOrderBy {
  id?: Direction
  name?: Direction
}

export type TeamsColumns = { [Name in keyof TeamsRecord]?: boolean }

export type TeamsWith = Record<string, never>

export type TeamsRelations = Record<string, never>

export type TeamsReference = RelationInput<TeamsCreate, Pick<TeamsRecord, "id">>

export interface TeamsTypes {
  record: TeamsRecord
  create: TeamsCreate
  update: TeamsUpdate
  where: TeamsWhere
  orderBy: TeamsOrderBy
  columns: TeamsColumns
  with: TeamsWith
  relations: TeamsRelations
  locale: AppLocale
  byLocale: TeamsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: TeamsClient
}

export interface TeamsRecordByLocale {
  id: string
  name: string
}

export type TeamsRelationsByLocale = Record<string, never>

export interface TeamsTypesByLocale {
  record: TeamsRecordByLocale
  create: TeamsCreate
  update: TeamsUpdate
  where: TeamsWhere
  orderBy: TeamsOrderBy
  columns: TeamsColumns
  with: TeamsWith
  relations: TeamsRelationsByLocale
  locale: AppLocale
  byLocale: TeamsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface SettingsRecord {
  siteName: string
  motto: string
  theme: JsonValue<typeof import("../globals/settings.js").default, "theme">
  owner: string | null
  stage: "plan" | "live"
  changedSincePublished?: boolean | null
  createdAt: Date
  updatedAt: Date
}

export interface SettingsUpdate {
  siteName?: string
  motto?: string | null
  theme?: JsonValue<typeof import("../globals/settings.js").default, "theme">
  owner?: PeopleReference | null
}

export interface SettingsWhere {
  siteName?: TextFilter
  motto?: TextFilter
  theme?: JsonFilter
  owner?: RelationFilter<PeopleWhere>
  stage?: ChoiceFilter<"plan" | "live">
  changedSincePublished?: ChoiceFilter<boolean>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly SettingsWhere[]
  OR?: readonly SettingsWhere[]
  NOT?: SettingsWhere
}

export type SettingsColumns = { [Name in keyof SettingsRecord]?: boolean }

export interface SettingsWith {
  owner?: boolean | RelatedOptions<PeopleTypes>
}

export interface SettingsRelations {
  owner: PeopleTypes
}

export interface SettingsTypes {
  record: SettingsRecord
  update: SettingsUpdate
  where: SettingsWhere
  columns: SettingsColumns
  with: SettingsWith
  relations: SettingsRelations
  locale: AppLocale
  byLocale: SettingsTypesByLocale
  expectedRevision: never
  stage: "plan" | "live"
  versions: true
}

export interface SettingsRecordByLocale {
  siteName: string
  motto: ByLocale<string>
  theme: JsonValue<typeof import("../globals/settings.js").default, "theme">
  owner: string | null
  stage: "plan" | "live"
  changedSincePublished?: boolean | null
  createdAt: Date
  updatedAt: Date
}

export interface SettingsRelationsByLocale {
  owner: PeopleTypesByLocale
}

export interface SettingsTypesByLocale {
  record: SettingsRecordByLocale
  update: SettingsUpdate
  where: SettingsWhere
  columns: SettingsColumns
  with: SettingsWith
  relations: SettingsRelationsByLocale
  locale: AppLocale
  byLocale: SettingsTypesByLocale
  expectedRevision: never
  stage: "plan" | "live"
  versions: true
}

export interface SystemArticlesRecord extends ArticlesRecord {
  notes: string | null
  secret: string | null
}

export interface SystemArticlesCreate extends SystemArticlesUpdate {
  title: string
  author: PeopleReference
}

export interface SystemArticlesUpdate extends ArticlesUpdate {
  views?: bigint | number | null
  secret?: string | null
}

export interface SystemArticlesWhere extends ArticlesWhere {
  secret?: TextFilter
  AND?: readonly SystemArticlesWhere[]
  OR?: readonly SystemArticlesWhere[]
  NOT?: SystemArticlesWhere
}

export interface SystemArticlesOrderBy extends ArticlesOrderBy {
  secret?: Direction
}

export type SystemArticlesColumns = { [Name in keyof SystemArticlesRecord]?: boolean }

export interface SystemArticlesWith extends ArticlesWith {
  page?: SystemArticlesPageParts
  cast?: SystemArticlesCastParts
  teaser?: SystemArticlesTeaserParts
}

export interface SystemArticlesRelations extends ArticlesRelations {
  page: { blocks: { hero: { face: PeopleTypes }; quote: { sources: { items: SystemArticlesTypes } }; columns: { left: { blocks: { note: { team: TeamsTypes } } } } } }
}

export interface SystemArticlesPageParts {
  hero?: { face?: boolean | RelatedOptions<PeopleTypes> }
  quote?: { sources?: boolean | RelatedOptions<SystemArticlesTypes> }
  columns?: { left?: { note?: { team?: boolean | RelatedOptions<TeamsTypes> } } }
}

export interface SystemArticlesCastParts {
  person?: boolean | RelatedOptions<PeopleTypes>
}

export interface SystemArticlesTeaserParts {
  card?: { person?: boolean | RelatedOptions<PeopleTypes> }
}

export type SystemArticlesReference = RelationInput<SystemArticlesCreate, Pick<SystemArticlesRecord, "id">>

export interface SystemArticlesTypes extends ArticlesTypes {
  record: SystemArticlesRecord
  create: SystemArticlesCreate
  update: SystemArticlesUpdate
  where: SystemArticlesWhere
  orderBy: SystemArticlesOrderBy
  columns: SystemArticlesColumns
  with: SystemArticlesWith
  relations: SystemArticlesRelations
  byLocale: SystemArticlesTypesByLocale
}

export interface SystemArticlesRecordByLocale extends ArticlesRecordByLocale {
  notes: string | null
  secret: string | null
}

export interface SystemArticlesRelationsByLocale extends ArticlesRelationsByLocale {
  page: { blocks: { hero: { face: PeopleTypesByLocale }; quote: { sources: { items: SystemArticlesTypesByLocale } }; columns: { left: { blocks: { note: { team: TeamsTypesByLocale } } } } } }
}

export interface SystemArticlesTypesByLocale extends ArticlesTypesByLocale {
  record: SystemArticlesRecordByLocale
  create: SystemArticlesCreate
  update: SystemArticlesUpdate
  where: SystemArticlesWhere
  orderBy: SystemArticlesOrderBy
  columns: SystemArticlesColumns
  with: SystemArticlesWith
  relations: SystemArticlesRelationsByLocale
  byLocale: SystemArticlesTypesByLocale
}

export type ArticlesGroup = keyof ArticlesOrderBy | GroupByOptions<keyof ArticlesOrderBy> | undefined

export interface ArticlesFindOptions extends PageOptions {
  where?: ArticlesWhere | undefined
  orderBy?: ArticlesOrderBy | readonly ArticlesOrderBy[] | undefined
  includeDeleted?: boolean | undefined
  stage?: "draft" | "published" | undefined
}

export interface ArticlesFind<With, Columns, Group, Locale extends string> extends ArticlesFindOptions {
  with?: WithOption<ArticlesTypes, With>
  columns?: ColumnsOption<ArticlesTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface ArticlesOperations extends Reads, StagedWrites<ArticlesTypes, LocaleOptionsOf<AppLocale>>, KeptRecords<ArticlesTypes, LocaleOptionsOf<AppLocale>>, Versions<ArticlesTypes, LocaleOptionsOf<AppLocale>>, Stages<ArticlesTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Group extends ArticlesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: ArticlesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<ArticlesTypes, With, Columns, Group, ArticlesTypesByLocale> : With | Columns | Group extends never ? Page<ArticlesRecord> : PageOf<ArticlesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: ArticlesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<ArticlesTypesByLocale, With, Columns> : (With | Columns extends never ? ArticlesRecord : Selected<ArticlesTypes, With, Columns>)) | null>
}

export interface ArticlesClient extends Reads, ClientStagedWrites<ArticlesTypes, ClientOptions<AppLocale>>, ClientKeptRecords<ArticlesTypes, ClientOptions<AppLocale>>, Versions<ArticlesTypes, ClientOptions<AppLocale>>, Stages<ArticlesTypes, ClientOptions<AppLocale>>, LiveCollection<ArticlesTypes> {
  find<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Group extends ArticlesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: ArticlesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<ArticlesTypes, With, Columns, Group, ArticlesTypesByLocale> : With | Columns | Group extends never ? Page<ArticlesRecord> : PageOf<ArticlesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: ArticlesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<ArticlesTypesByLocale, With, Columns> : (With | Columns extends never ? ArticlesRecord : Selected<ArticlesTypes, With, Columns>)) | null>
}

export type PeopleGroup = keyof PeopleOrderBy | GroupByOptions<keyof PeopleOrderBy> | undefined

export interface PeopleFindOptions extends PageOptions {
  where?: PeopleWhere | undefined
  orderBy?: PeopleOrderBy | readonly PeopleOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface PeopleFind<With, Columns, Group, Locale extends string> extends PeopleFindOptions {
  with?: WithOption<PeopleTypes, With>
  columns?: ColumnsOption<PeopleTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface PeopleOperations extends Reads, CountAndWrites<PeopleTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends PeopleWith = never, const Columns extends PeopleColumns = never, const Group extends PeopleGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: PeopleFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<PeopleTypes, With, Columns, Group, PeopleTypesByLocale> : With | Columns | Group extends never ? Page<PeopleRecord> : PageOf<PeopleTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends PeopleWith = never, const Columns extends PeopleColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: PeopleFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<PeopleTypesByLocale, With, Columns> : (With | Columns extends never ? PeopleRecord : Selected<PeopleTypes, With, Columns>)) | null>
}

export interface PeopleClient extends Reads, ClientWrites<PeopleTypes, ClientOptions<AppLocale>>, LiveCollection<PeopleTypes> {
  find<const With extends PeopleWith = never, const Columns extends PeopleColumns = never, const Group extends PeopleGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: PeopleFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<PeopleTypes, With, Columns, Group, PeopleTypesByLocale> : With | Columns | Group extends never ? Page<PeopleRecord> : PageOf<PeopleTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends PeopleWith = never, const Columns extends PeopleColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: PeopleFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<PeopleTypesByLocale, With, Columns> : (With | Columns extends never ? PeopleRecord : Selected<PeopleTypes, With, Columns>)) | null>
}

export type TeamsGroup = keyof TeamsOrderBy | GroupByOptions<keyof TeamsOrderBy> | undefined

export interface TeamsFindOptions extends PageOptions {
  where?: TeamsWhere | undefined
  orderBy?: TeamsOrderBy | readonly TeamsOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface TeamsFind<With, Columns, Group, Locale extends string> extends TeamsFindOptions {
  with?: WithOption<TeamsTypes, With>
  columns?: ColumnsOption<TeamsTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface TeamsOperations extends Reads, CountAndWrites<TeamsTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends TeamsWith = never, const Columns extends TeamsColumns = never, const Group extends TeamsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TeamsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<TeamsTypes, With, Columns, Group, TeamsTypesByLocale> : With | Columns | Group extends never ? Page<TeamsRecord> : PageOf<TeamsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TeamsWith = never, const Columns extends TeamsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: TeamsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<TeamsTypesByLocale, With, Columns> : (With | Columns extends never ? TeamsRecord : Selected<TeamsTypes, With, Columns>)) | null>
}

export interface TeamsClient extends Reads, ClientWrites<TeamsTypes, ClientOptions<AppLocale>>, LiveCollection<TeamsTypes> {
  find<const With extends TeamsWith = never, const Columns extends TeamsColumns = never, const Group extends TeamsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TeamsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<TeamsTypes, With, Columns, Group, TeamsTypesByLocale> : With | Columns | Group extends never ? Page<TeamsRecord> : PageOf<TeamsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TeamsWith = never, const Columns extends TeamsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: TeamsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<TeamsTypesByLocale, With, Columns> : (With | Columns extends never ? TeamsRecord : Selected<TeamsTypes, With, Columns>)) | null>
}

export interface SystemArticlesOperations extends SystemReads<SystemArticlesTypes, ArticlesTypes>, StagedWrites<SystemArticlesTypes, LocaleOptionsOf<AppLocale>>, KeptRecords<SystemArticlesTypes, LocaleOptionsOf<AppLocale>>, Versions<SystemArticlesTypes, LocaleOptionsOf<AppLocale>>, Stages<SystemArticlesTypes, LocaleOptionsOf<AppLocale>> {}

export interface AppCollections {
  articles: ArticlesOperations
  people: PeopleOperations
  teams: TeamsOperations
}

export interface AppGlobals {
  settings: TypedGlobal<SettingsTypes> & GlobalVersions<SettingsTypes> & GlobalStages<SettingsTypes>
}

export interface AppSystemCollections extends AppCollections {
  articles: SystemArticlesOperations
}

export interface AppSystemGlobals extends AppGlobals {}

export interface ArticlesFound extends ArticlesRecord, FoundRecord<"articles"> {}

export interface PeopleFound extends PeopleRecord, FoundRecord<"people"> {}

export interface AppSearch {
  articles: { types: ArticlesTypes; found: ArticlesFound; where: ArticlesWhere; facet: "status" | "featured"; stage: "draft" | "published" }
  people: { types: PeopleTypes; found: PeopleFound; where: PeopleWhere; facet: never; stage: never }
}

export interface AppDocuments {
  collections: {
    articles: { body: never; sources: AppLocale; story: never }
  }
  globals: {}
}

export interface AppConfig {
  collections: {
    articles: ArticlesTypes
    people: PeopleTypes
    teams: TeamsTypes
  }
  documents: AppDocuments
  globals: {
    settings: SettingsTypes
  }
  locale: AppLocale
  routes: {
    adminSearch: RoutePath & {
      get: RouteQuery<typeof import("../routes/admin-search.js").default>
    }
    clubs: RoutePath & {
      $club(value: string | number): RoutePath & {
        delete: RouteCall<typeof import("../routes/clubs/[club]/index.js").default>
        invite: RouteCall<typeof import("../routes/clubs/[club]/invite.js").default> & RoutePath & {
          post: RouteCall<typeof import("../routes/clubs/[club]/invite.js").default>
        }
      }
    }
    files: RoutePath & {
      $path(values: readonly string[]): RoutePath & {
        get: RouteQuery<typeof import("../routes/files/[...path].js").default>
      }
    }
    stats: RoutePath & {
      get: RouteQuery<typeof import("../routes/stats.js").default>
    }
  }
  search: AppSearch
}
