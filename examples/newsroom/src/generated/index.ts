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
  ChannelCalls,
  ChoiceFilter,
  ClientOptions,
  ClientStagedWrites,
  ClientWrites,
  ColumnsOption,
  CountAndWrites,
  CursorValue,
  ExactGroup,
  FileUploads,
  Found,
  FoundRecord,
  GroupByOptions,
  IdFilter,
  JsonFilter,
  JsonListFilter,
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

export type AppLocale = "en" | "sk"

export interface ByLocale<Value> {
  "en"?: Value
  "sk"?: Value
}

export interface ArticlesRecord {
  id: string
  title: string
  slug: string
  summary: string | null
  body: RichText | null
  kind: "news" | "report" | "opinion"
  team: string
  author: string
  cover: string | null
  publishedAt: Date | null
  words: number | null
  notes?: string | null
  layout: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
  stage: "draft" | "review" | "published"
  changedSincePublished?: boolean | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

export interface ArticlesCreate extends ArticlesUpdate {
  title: string
  slug: string
  team: TeamsReference
  author: UsersReference
}

export interface ArticlesUpdate {
  title?: string | null
  slug?: string
  summary?: string | null
  body?: RichText | null
  kind?: "news" | "report" | "opinion"
  team?: TeamsReference
  author?: UsersReference
  tags?: ManyInput<TagsCreate, TagsUpdate, Pick<TagsRecord, "id" | "name">>
  related?: OrderedManyInput<ArticlesCreate, ArticlesUpdate, Pick<ArticlesRecord, "id" | "slug">>
  comments?: ManyInput<Omit<CommentsCreate, "article">, CommentsUpdate, Pick<CommentsRecord, "id">>
  cover?: MediaReference | null
  words?: number | null
  notes?: string | null
  layout?: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
}

export interface ArticlesWhere {
  id?: IdFilter
  title?: TextFilter
  slug?: TextFilter
  summary?: TextFilter
  body?: JsonFilter
  kind?: ChoiceFilter<"news" | "report" | "opinion">
  team?: RelationFilter<TeamsWhere>
  author?: RelationFilter<UsersWhere>
  tags?: ManyFilter<TagsWhere>
  related?: ManyFilter<ArticlesWhere>
  comments?: ManyFilter<CommentsWhere>
  cover?: RelationFilter<MediaWhere>
  publishedAt?: OrderedFilter<Date | string>
  words?: OrderedFilter<number>
  notes?: TextFilter
  layout?: JsonFilter
  stage?: ChoiceFilter<"draft" | "review" | "published">
  changedSincePublished?: ChoiceFilter<boolean>
  revision?: OrderedFilter<number>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly ArticlesWhere[]
  OR?: readonly ArticlesWhere[]
  NOT?: ArticlesWhere
}

export interface ArticlesOrderBy {
  id?: Direction
  title?: Direction
  slug?: Direction
  summary?: Direction
  kind?: Direction
  team?: Direction | TeamsOrderBy
  author?: Direction | UsersOrderBy
  cover?: Direction | MediaOrderBy
  publishedAt?: Direction
  words?: Direction
  notes?: Direction
  stage?: Direction
  changedSincePublished?: Direction
  revision?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type ArticlesColumns = { [Name in keyof ArticlesRecord]?: boolean }

export interface ArticlesWith {
  team?: boolean | RelatedOptions<TeamsTypes>
  author?: boolean | RelatedOptions<UsersTypes>
  tags?: boolean | ManyOptions<TagsTypes>
  related?: boolean | ManyOptions<ArticlesTypes>
  comments?: boolean | ManyOptions<CommentsTypes>
  cover?: boolean | RelatedOptions<MediaTypes>
}

export interface ArticlesRelations {
  team: TeamsTypes
  author: UsersTypes
  tags: TagsTypes[]
  related: ArticlesTypes[]
  comments: CommentsTypes[]
  cover: MediaTypes
}

export type ArticlesReference = RelationInput<ArticlesCreate, Pick<ArticlesRecord, "id" | "slug">>

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
  stage: "draft" | "review" | "published"
  includeDeleted: never
  client: ArticlesClient
}

export interface ArticlesRecordByLocale {
  id: string
  title: ByLocale<string>
  slug: string
  summary: ByLocale<string> | null
  body: ByLocale<RichText> | null
  kind: "news" | "report" | "opinion"
  team: string
  author: string
  cover: string | null
  publishedAt: Date | null
  words: number | null
  notes?: string | null
  layout: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
  stage: "draft" | "review" | "published"
  changedSincePublished?: boolean | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

export interface ArticlesRelationsByLocale {
  team: TeamsTypesByLocale
  author: UsersTypesByLocale
  tags: TagsTypesByLocale[]
  related: ArticlesTypesByLocale[]
  comments: CommentsTypesByLocale[]
  cover: MediaTypesByLocale
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
  stage: "draft" | "review" | "published"
  includeDeleted: never
}

export interface CommentsRecord {
  id: string
  article: string
  author: string
  text: string
  createdAt: Date
  updatedAt: Date
}

export interface CommentsCreate extends CommentsUpdate {
  article: ArticlesReference
  author: UsersReference
  text: string
}

export interface CommentsUpdate {
  article?: ArticlesReference
  author?: UsersReference
  text?: string
}

export interface CommentsWhere {
  id?: IdFilter
  article?: RelationFilter<ArticlesWhere>
  author?: RelationFilter<UsersWhere>
  text?: TextFilter
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly CommentsWhere[]
  OR?: readonly CommentsWhere[]
  NOT?: CommentsWhere
}

export interface CommentsOrderBy {
  id?: Direction
  article?: Direction | ArticlesOrderBy
  author?: Direction | UsersOrderBy
  text?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type CommentsColumns = { [Name in keyof CommentsRecord]?: boolean }

export interface CommentsWith {
  article?: boolean | RelatedOptions<ArticlesTypes>
  author?: boolean | RelatedOptions<UsersTypes>
}

export interface CommentsRelations {
  article: ArticlesTypes
  author: UsersTypes
}

export type CommentsReference = RelationInput<CommentsCreate, Pick<CommentsRecord, "id">>

export interface CommentsTypes {
  record: CommentsRecord
  create: CommentsCreate
  update: CommentsUpdate
  where: CommentsWhere
  orderBy: CommentsOrderBy
  columns: CommentsColumns
  with: CommentsWith
  relations: CommentsRelations
  locale: AppLocale
  byLocale: CommentsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: CommentsClient
}

export interface CommentsRecordByLocale {
  id: string
  article: string
  author: string
  text: string
  createdAt: Date
  updatedAt: Date
}

export interface CommentsRelationsByLocale {
  article: ArticlesTypesByLocale
  author: UsersTypesByLocale
}

export interface CommentsTypesByLocale {
  record: CommentsRecordByLocale
  create: CommentsCreate
  update: CommentsUpdate
  where: CommentsWhere
  orderBy: CommentsOrderBy
  columns: CommentsColumns
  with: CommentsWith
  relations: CommentsRelationsByLocale
  locale: AppLocale
  byLocale: CommentsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface InvitesRecord {
  id: string
  team: string
  email: string
  code: string
  acceptedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface InvitesCreate extends InvitesUpdate {
  team: TeamsReference
  email: string
}

export interface InvitesUpdate {
  team?: TeamsReference
  email?: string
  acceptedAt?: Date | string | null
}

export interface InvitesWhere {
  id?: IdFilter
  team?: RelationFilter<TeamsWhere>
  email?: TextFilter
  code?: TextFilter
  acceptedAt?: OrderedFilter<Date | string>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly InvitesWhere[]
  OR?: readonly InvitesWhere[]
  NOT?: InvitesWhere
}

export interface InvitesOrderBy {
  id?: Direction
  team?: Direction | TeamsOrderBy
  email?: Direction
  code?: Direction
  acceptedAt?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type InvitesColumns = { [Name in keyof InvitesRecord]?: boolean }

export interface InvitesWith {
  team?: boolean | RelatedOptions<TeamsTypes>
}

export interface InvitesRelations {
  team: TeamsTypes
}

export type InvitesReference = RelationInput<InvitesCreate, Pick<InvitesRecord, "id" | "code">>

export interface InvitesTypes {
  record: InvitesRecord
  create: InvitesCreate
  update: InvitesUpdate
  where: InvitesWhere
  orderBy: InvitesOrderBy
  columns: InvitesColumns
  with: InvitesWith
  relations: InvitesRelations
  locale: AppLocale
  byLocale: InvitesTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: InvitesClient
}

export interface InvitesRecordByLocale {
  id: string
  team: string
  email: string
  code: string
  acceptedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface InvitesRelationsByLocale {
  team: TeamsTypesByLocale
}

export interface InvitesTypesByLocale {
  record: InvitesRecordByLocale
  create: InvitesCreate
  update: InvitesUpdate
  where: InvitesWhere
  orderBy: InvitesOrderBy
  columns: InvitesColumns
  with: InvitesWith
  relations: InvitesRelationsByLocale
  locale: AppLocale
  byLocale: InvitesTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface MediaRecord {
  id: string
  alt: string | null
  key: string
  filename: string
  mimeType: string
  size: number
  checksum: string
  width: number | null
  height: number | null
  visibility: "public" | "private"
  url: string
  createdAt: Date
  updatedAt: Date
}

export interface MediaCreate extends MediaUpdate {}

export interface MediaUpdate {
  alt?: string | null
  visibility?: "public" | "private"
}

export interface MediaWhere {
  id?: IdFilter
  alt?: TextFilter
  key?: TextFilter
  filename?: TextFilter
  mimeType?: TextFilter
  size?: OrderedFilter<number>
  checksum?: TextFilter
  width?: OrderedFilter<number>
  height?: OrderedFilter<number>
  visibility?: ChoiceFilter<"public" | "private">
  url?: TextFilter
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly MediaWhere[]
  OR?: readonly MediaWhere[]
  NOT?: MediaWhere
}

export interface MediaOrderBy {
  id?: Direction
  alt?: Direction
  key?: Direction
  filename?: Direction
  mimeType?: Direction
  size?: Direction
  checksum?: Direction
  width?: Direction
  height?: Direction
  visibility?: Direction
  url?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type MediaColumns = { [Name in keyof MediaRecord]?: boolean }

export type MediaWith = Record<string, never>

export type MediaRelations = Record<string, never>

export type MediaReference = RelationInput<never, Pick<MediaRecord, "id">>

export interface MediaTypes {
  record: MediaRecord
  create: never
  update: MediaUpdate
  where: MediaWhere
  orderBy: MediaOrderBy
  columns: MediaColumns
  with: MediaWith
  relations: MediaRelations
  locale: AppLocale
  byLocale: MediaTypesByLocale
  upload: MediaCreate
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: MediaClient
}

export interface MediaRecordByLocale {
  id: string
  alt: string | null
  key: string
  filename: string
  mimeType: string
  size: number
  checksum: string
  width: number | null
  height: number | null
  visibility: "public" | "private"
  url: string
  createdAt: Date
  updatedAt: Date
}

export type MediaRelationsByLocale = Record<string, never>

export interface MediaTypesByLocale {
  record: MediaRecordByLocale
  create: never
  update: MediaUpdate
  where: MediaWhere
  orderBy: MediaOrderBy
  columns: MediaColumns
  with: MediaWith
  relations: MediaRelationsByLocale
  locale: AppLocale
  byLocale: MediaTypesByLocale
  upload: MediaCreate
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface MembershipsRecord {
  id: string
  team: string
  user: string
  role: "editor" | "writer"
  createdAt: Date
  updatedAt: Date
}

export interface MembershipsCreate extends MembershipsUpdate {
  team: TeamsReference
  user: UsersReference
}

export interface MembershipsUpdate {
  team?: TeamsReference
  user?: UsersReference
  role?: "editor" | "writer"
}

export interface MembershipsWhere {
  id?: IdFilter
  team?: RelationFilter<TeamsWhere>
  user?: RelationFilter<UsersWhere>
  role?: ChoiceFilter<"editor" | "writer">
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly MembershipsWhere[]
  OR?: readonly MembershipsWhere[]
  NOT?: MembershipsWhere
}

export interface MembershipsOrderBy {
  id?: Direction
  team?: Direction | TeamsOrderBy
  user?: Direction | UsersOrderBy
  role?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type MembershipsColumns = { [Name in keyof MembershipsRecord]?: boolean }

export interface MembershipsWith {
  team?: boolean | RelatedOptions<TeamsTypes>
  user?: boolean | RelatedOptions<UsersTypes>
}

export interface MembershipsRelations {
  team: TeamsTypes
  user: UsersTypes
}

export type MembershipsReference = RelationInput<MembershipsCreate, Pick<MembershipsRecord, "id">>

export interface MembershipsTypes {
  record: MembershipsRecord
  create: MembershipsCreate
  update: MembershipsUpdate
  where: MembershipsWhere
  orderBy: MembershipsOrderBy
  columns: MembershipsColumns
  with: MembershipsWith
  relations: MembershipsRelations
  locale: AppLocale
  byLocale: MembershipsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: MembershipsClient
}

export interface MembershipsRecordByLocale {
  id: string
  team: string
  user: string
  role: "editor" | "writer"
  createdAt: Date
  updatedAt: Date
}

export interface MembershipsRelationsByLocale {
  team: TeamsTypesByLocale
  user: UsersTypesByLocale
}

export interface MembershipsTypesByLocale {
  record: MembershipsRecordByLocale
  create: MembershipsCreate
  update: MembershipsUpdate
  where: MembershipsWhere
  orderBy: MembershipsOrderBy
  columns: MembershipsColumns
  with: MembershipsWith
  relations: MembershipsRelationsByLocale
  locale: AppLocale
  byLocale: MembershipsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface PagesRecord {
  id: string
  title: string
  slug: string
  body: PagesBodyBlock[] | null
  stage: "draft" | "published"
  changedSincePublished?: boolean | null
  createdAt: Date
  updatedAt: Date
}

export interface PagesCreate extends PagesUpdate {
  title: string
  slug: string
}

export interface PagesUpdate {
  title?: string | null
  slug?: string
  body?: readonly PagesBodyBlockInput[] | null
}

export interface PagesWhere {
  id?: IdFilter
  title?: TextFilter
  slug?: TextFilter
  body?: BlocksFilter<PagesBodyBlockFilter>
  stage?: ChoiceFilter<"draft" | "published">
  changedSincePublished?: ChoiceFilter<boolean>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly PagesWhere[]
  OR?: readonly PagesWhere[]
  NOT?: PagesWhere
}

export interface PagesOrderBy {
  id?: Direction
  title?: Direction
  slug?: Direction
  stage?: Direction
  changedSincePublished?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type PagesColumns = { [Name in keyof PagesRecord]?: boolean }

export interface PagesWith {
  body?: PagesBodyParts
}

export interface PagesRelations {
  body: { blocks: { hero: { image: MediaTypes }; stories: { articles: { items: ArticlesTypes } } } }
}

export type PagesBodyBlock = PagesBodyHeroBlock | PagesBodyTextBlock | PagesBodyQuoteBlock | PagesBodyFiguresBlock | PagesBodyStoriesBlock | PagesBodyLinksBlock | PagesBodyBoxBlock

export type PagesBodyBlockInput = PagesBodyHeroBlockInput | PagesBodyTextBlockInput | PagesBodyQuoteBlockInput | PagesBodyFiguresBlockInput | PagesBodyStoriesBlockInput | PagesBodyLinksBlockInput | PagesBodyBoxBlockInput

export type PagesBodyBlockFilter = PagesBodyHeroBlockFilter | PagesBodyTextBlockFilter | PagesBodyQuoteBlockFilter | PagesBodyFiguresBlockFilter | PagesBodyStoriesBlockFilter | PagesBodyLinksBlockFilter | PagesBodyBoxBlockFilter | PagesBodyAnyBlockFilter

export interface PagesBodyAnyBlockFilter extends AnyBlockFilter<"hero" | "text" | "quote" | "figures" | "stories" | "links" | "box", PagesBodyBlockFilter> {
  heading?: never
  text?: never
  image?: never
  by?: never
  figures?: never
  articles?: never
  links?: never
  body?: never
}

export interface PagesBodyHeroBlock {
  type: "hero"
  id: string
  heading: string
  text: string | null
  image: string | null
}

export interface PagesBodyHeroBlockInput {
  type: "hero"
  id?: string
  heading: string
  text?: string | null
  image?: string | null
}

export interface PagesBodyHeroBlockFilter {
  type: "hero"
  heading?: TextFilter
  text?: TextFilter
  image?: IdFilter
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyTextBlock {
  type: "text"
  id: string
  text: RichText
}

export interface PagesBodyTextBlockInput {
  type: "text"
  id?: string
  text: RichText
}

export interface PagesBodyTextBlockFilter {
  type: "text"
  text?: JsonFilter
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyQuoteBlock {
  type: "quote"
  id: string
  text: string
  by: string | null
}

export interface PagesBodyQuoteBlockInput {
  type: "quote"
  id?: string
  text: string
  by?: string | null
}

export interface PagesBodyQuoteBlockFilter {
  type: "quote"
  text?: TextFilter
  by?: TextFilter
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyFiguresBlock {
  type: "figures"
  id: string
  figures: { value: string; label: string }[]
}

export interface PagesBodyFiguresBlockInput {
  type: "figures"
  id?: string
  figures: readonly { value: string; label: string }[]
}

export interface PagesBodyFiguresBlockFilter {
  type: "figures"
  figures?: JsonListFilter
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyStoriesBlock {
  type: "stories"
  id: string
  heading: string
  articles: string[]
}

export interface PagesBodyStoriesBlockInput {
  type: "stories"
  id?: string
  heading: string
  articles: readonly string[]
}

export interface PagesBodyStoriesBlockFilter {
  type: "stories"
  heading?: TextFilter
  articles?: ListFilter<string>
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyLinksBlock {
  type: "links"
  id: string
  heading: string
  links: { label: string; address: string; note: string | null }[]
}

export interface PagesBodyLinksBlockInput {
  type: "links"
  id?: string
  heading: string
  links: readonly { label: string; address: string; note?: string | null }[]
}

export interface PagesBodyLinksBlockFilter {
  type: "links"
  heading?: TextFilter
  links?: JsonListFilter
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export interface PagesBodyBoxBlock {
  type: "box"
  id: string
  heading: string
  body: PagesBodyBoxBodyBlock[]
}

export interface PagesBodyBoxBlockInput {
  type: "box"
  id?: string
  heading: string
  body: readonly PagesBodyBoxBodyBlockInput[]
}

export interface PagesBodyBoxBlockFilter {
  type: "box"
  heading?: TextFilter
  body?: BlocksFilter<PagesBodyBoxBodyBlockFilter>
  AND?: readonly PagesBodyBlockFilter[]
  OR?: readonly PagesBodyBlockFilter[]
  NOT?: PagesBodyBlockFilter
}

export type PagesBodyBoxBodyBlock = PagesBodyBoxBodyTextBlock | PagesBodyBoxBodyLinksBlock

export type PagesBodyBoxBodyBlockInput = PagesBodyBoxBodyTextBlockInput | PagesBodyBoxBodyLinksBlockInput

export type PagesBodyBoxBodyBlockFilter = PagesBodyBoxBodyTextBlockFilter | PagesBodyBoxBodyLinksBlockFilter | PagesBodyBoxBodyAnyBlockFilter

export interface PagesBodyBoxBodyAnyBlockFilter extends AnyBlockFilter<"text" | "links", PagesBodyBoxBodyBlockFilter> {
  text?: never
  heading?: never
  links?: never
}

export interface PagesBodyBoxBodyTextBlock {
  type: "text"
  id: string
  text: RichText
}

export interface PagesBodyBoxBodyTextBlockInput {
  type: "text"
  id?: string
  text: RichText
}

export interface PagesBodyBoxBodyTextBlockFilter {
  type: "text"
  text?: JsonFilter
  AND?: readonly PagesBodyBoxBodyBlockFilter[]
  OR?: readonly PagesBodyBoxBodyBlockFilter[]
  NOT?: PagesBodyBoxBodyBlockFilter
}

export interface PagesBodyBoxBodyLinksBlock {
  type: "links"
  id: string
  heading: string
  links: { label: string; address: string; note: string | null }[]
}

export interface PagesBodyBoxBodyLinksBlockInput {
  type: "links"
  id?: string
  heading: string
  links: readonly { label: string; address: string; note?: string | null }[]
}

export interface PagesBodyBoxBodyLinksBlockFilter {
  type: "links"
  heading?: TextFilter
  links?: JsonListFilter
  AND?: readonly PagesBodyBoxBodyBlockFilter[]
  OR?: readonly PagesBodyBoxBodyBlockFilter[]
  NOT?: PagesBodyBoxBodyBlockFilter
}

export interface PagesBodyParts {
  hero?: { image?: boolean | RelatedOptions<MediaTypes> }
  stories?: { articles?: boolean | RelatedOptions<ArticlesTypes> }
}

export type PagesReference = RelationInput<PagesCreate, Pick<PagesRecord, "id" | "slug">>

export interface PagesTypes {
  record: PagesRecord
  create: PagesCreate
  update: PagesUpdate
  where: PagesWhere
  orderBy: PagesOrderBy
  columns: PagesColumns
  with: PagesWith
  relations: PagesRelations
  locale: AppLocale
  byLocale: PagesTypesByLocale
  expectedRevision: never
  stage: "draft" | "published"
  includeDeleted: never
  client: PagesClient
}

export interface PagesRecordByLocale {
  id: string
  title: ByLocale<string>
  slug: string
  body: ByLocale<PagesBodyBlock[]> | null
  stage: "draft" | "published"
  changedSincePublished?: boolean | null
  createdAt: Date
  updatedAt: Date
}

export interface PagesRelationsByLocale {
  body: { locales: { blocks: { hero: { image: MediaTypesByLocale }; stories: { articles: { items: ArticlesTypesByLocale } } } } }
}

export interface PagesTypesByLocale {
  record: PagesRecordByLocale
  create: PagesCreate
  update: PagesUpdate
  where: PagesWhere
  orderBy: PagesOrderBy
  columns: PagesColumns
  with: PagesWith
  relations: PagesRelationsByLocale
  locale: AppLocale
  byLocale: PagesTypesByLocale
  expectedRevision: never
  stage: "draft" | "published"
  includeDeleted: never
}

export interface TagsRecord {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface TagsCreate extends TagsUpdate {
  name: string
}

export interface TagsUpdate {
  name?: string
  articles?: ManyInput<ArticlesCreate, ArticlesUpdate, Pick<ArticlesRecord, "id" | "slug">>
}

export interface TagsWhere {
  id?: IdFilter
  name?: TextFilter
  articles?: ManyFilter<ArticlesWhere>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly TagsWhere[]
  OR?: readonly TagsWhere[]
  NOT?: TagsWhere
}

export interface TagsOrderBy {
  id?: Direction
  name?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type TagsColumns = { [Name in keyof TagsRecord]?: boolean }

export interface TagsWith {
  articles?: boolean | ManyOptions<ArticlesTypes>
}

export interface TagsRelations {
  articles: ArticlesTypes[]
}

export type TagsReference = RelationInput<TagsCreate, Pick<TagsRecord, "id" | "name">>

export interface TagsTypes {
  record: TagsRecord
  create: TagsCreate
  update: TagsUpdate
  where: TagsWhere
  orderBy: TagsOrderBy
  columns: TagsColumns
  with: TagsWith
  relations: TagsRelations
  locale: AppLocale
  byLocale: TagsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: TagsClient
}

export interface TagsRecordByLocale {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface TagsRelationsByLocale {
  articles: ArticlesTypesByLocale[]
}

export interface TagsTypesByLocale {
  record: TagsRecordByLocale
  create: TagsCreate
  update: TagsUpdate
  where: TagsWhere
  orderBy: TagsOrderBy
  columns: TagsColumns
  with: TagsWith
  relations: TagsRelationsByLocale
  locale: AppLocale
  byLocale: TagsTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface TeamsRecord {
  id: string
  name: string
  slug: string
  about: string | null
  createdAt: Date
  updatedAt: Date
}

export interface TeamsCreate extends TeamsUpdate {
  name: string
  slug: string
}

export interface TeamsUpdate {
  name?: string | null
  slug?: string
  about?: string | null
  memberships?: ManyInput<Omit<MembershipsCreate, "team">, MembershipsUpdate, Pick<MembershipsRecord, "id">>
}

export interface TeamsWhere {
  id?: IdFilter
  name?: TextFilter
  slug?: TextFilter
  about?: TextFilter
  memberships?: ManyFilter<MembershipsWhere>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly TeamsWhere[]
  OR?: readonly TeamsWhere[]
  NOT?: TeamsWhere
}

export interface TeamsOrderBy {
  id?: Direction
  name?: Direction
  slug?: Direction
  about?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type TeamsColumns = { [Name in keyof TeamsRecord]?: boolean }

export interface TeamsWith {
  memberships?: boolean | ManyOptions<MembershipsTypes>
}

export interface TeamsRelations {
  memberships: MembershipsTypes[]
}

export type TeamsReference = RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>

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
  name: ByLocale<string>
  slug: string
  about: ByLocale<string> | null
  createdAt: Date
  updatedAt: Date
}

export interface TeamsRelationsByLocale {
  memberships: MembershipsTypesByLocale[]
}

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

export interface UsersRecord {
  id: string
  name: string
  email?: string
  emailVerified?: boolean
  image: string | null
  role: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | null
  bio: string | null
  createdAt: Date
  updatedAt: Date
}

export interface UsersCreate extends UsersUpdate {
  name: string
  email: string
}

export interface UsersUpdate {
  name?: string
  email?: string
  emailVerified?: boolean
  image?: string | null
  role?: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | string | null
  bio?: string | null
  memberships?: ManyInput<Omit<MembershipsCreate, "user">, MembershipsUpdate, Pick<MembershipsRecord, "id">>
}

export interface UsersWhere {
  id?: IdFilter
  name?: TextFilter
  email?: TextFilter
  emailVerified?: ChoiceFilter<boolean>
  image?: TextFilter
  role?: TextFilter
  banned?: ChoiceFilter<boolean>
  banReason?: TextFilter
  banExpires?: OrderedFilter<Date | string>
  bio?: TextFilter
  memberships?: ManyFilter<MembershipsWhere>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly UsersWhere[]
  OR?: readonly UsersWhere[]
  NOT?: UsersWhere
}

export interface UsersOrderBy {
  id?: Direction
  name?: Direction
  email?: Direction
  emailVerified?: Direction
  image?: Direction
  role?: Direction
  banned?: Direction
  banReason?: Direction
  banExpires?: Direction
  bio?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type UsersColumns = { [Name in keyof UsersRecord]?: boolean }

export interface UsersWith {
  memberships?: boolean | ManyOptions<MembershipsTypes>
}

export interface UsersRelations {
  memberships: MembershipsTypes[]
}

export type UsersReference = RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>

export interface UsersTypes {
  record: UsersRecord
  create: UsersCreate
  update: UsersUpdate
  where: UsersWhere
  orderBy: UsersOrderBy
  columns: UsersColumns
  with: UsersWith
  relations: UsersRelations
  locale: AppLocale
  byLocale: UsersTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: UsersClient
}

export interface UsersRecordByLocale {
  id: string
  name: string
  email?: string
  emailVerified?: boolean
  image: string | null
  role: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | null
  bio: string | null
  createdAt: Date
  updatedAt: Date
}

export interface UsersRelationsByLocale {
  memberships: MembershipsTypesByLocale[]
}

export interface UsersTypesByLocale {
  record: UsersRecordByLocale
  create: UsersCreate
  update: UsersUpdate
  where: UsersWhere
  orderBy: UsersOrderBy
  columns: UsersColumns
  with: UsersWith
  relations: UsersRelationsByLocale
  locale: AppLocale
  byLocale: UsersTypesByLocale
  expectedRevision: never
  stage: never
  includeDeleted: never
}

export interface SettingsRecord {
  siteName: string
  tagline: string | null
  frontPageArticle: string | null
  createdAt: Date
  updatedAt: Date
}

export interface SettingsUpdate {
  siteName?: string
  tagline?: string | null
  frontPageArticle?: ArticlesReference | null
}

export interface SettingsWhere {
  siteName?: TextFilter
  tagline?: TextFilter
  frontPageArticle?: RelationFilter<ArticlesWhere>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly SettingsWhere[]
  OR?: readonly SettingsWhere[]
  NOT?: SettingsWhere
}

export type SettingsColumns = { [Name in keyof SettingsRecord]?: boolean }

export interface SettingsWith {
  frontPageArticle?: boolean | RelatedOptions<ArticlesTypes>
}

export interface SettingsRelations {
  frontPageArticle: ArticlesTypes
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
  stage: never
}

export interface SettingsRecordByLocale {
  siteName: string
  tagline: ByLocale<string> | null
  frontPageArticle: string | null
  createdAt: Date
  updatedAt: Date
}

export interface SettingsRelationsByLocale {
  frontPageArticle: ArticlesTypesByLocale
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
  stage: never
}

export interface SystemArticlesRecord extends ArticlesRecord {
  notes: string | null
}

export interface SystemArticlesCreate extends SystemArticlesUpdate {
  title: string
  slug: string
  team: TeamsReference
  author: UsersReference
}

export interface SystemArticlesUpdate extends ArticlesUpdate {
  related?: OrderedManyInput<SystemArticlesCreate, SystemArticlesUpdate, Pick<SystemArticlesRecord, "id" | "slug">>
  publishedAt?: Date | string | null
}

export interface SystemArticlesWhere extends ArticlesWhere {
  related?: ManyFilter<SystemArticlesWhere>
  AND?: readonly SystemArticlesWhere[]
  OR?: readonly SystemArticlesWhere[]
  NOT?: SystemArticlesWhere
}

export interface SystemArticlesOrderBy extends ArticlesOrderBy {}

export type SystemArticlesColumns = { [Name in keyof SystemArticlesRecord]?: boolean }

export interface SystemArticlesWith extends ArticlesWith {
  related?: boolean | ManyOptions<SystemArticlesTypes>
}

export interface SystemArticlesRelations extends ArticlesRelations {
  related: SystemArticlesTypes[]
}

export type SystemArticlesReference = RelationInput<SystemArticlesCreate, Pick<SystemArticlesRecord, "id" | "slug">>

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
}

export interface SystemArticlesRelationsByLocale extends ArticlesRelationsByLocale {
  related: SystemArticlesTypesByLocale[]
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

export interface SystemInvitesRecord extends InvitesRecord {}

export interface SystemInvitesCreate extends SystemInvitesUpdate {
  team: TeamsReference
  email: string
}

export interface SystemInvitesUpdate extends InvitesUpdate {
  code?: string
}

export interface SystemInvitesWhere extends InvitesWhere {
  AND?: readonly SystemInvitesWhere[]
  OR?: readonly SystemInvitesWhere[]
  NOT?: SystemInvitesWhere
}

export interface SystemInvitesOrderBy extends InvitesOrderBy {}

export type SystemInvitesColumns = { [Name in keyof SystemInvitesRecord]?: boolean }

export interface SystemInvitesWith extends InvitesWith {}

export interface SystemInvitesRelations extends InvitesRelations {}

export type SystemInvitesReference = RelationInput<SystemInvitesCreate, Pick<SystemInvitesRecord, "id" | "code">>

export interface SystemInvitesTypes extends InvitesTypes {
  record: SystemInvitesRecord
  create: SystemInvitesCreate
  update: SystemInvitesUpdate
  where: SystemInvitesWhere
  orderBy: SystemInvitesOrderBy
  columns: SystemInvitesColumns
  with: SystemInvitesWith
  relations: SystemInvitesRelations
  byLocale: SystemInvitesTypesByLocale
}

export interface SystemInvitesRecordByLocale extends InvitesRecordByLocale {}

export interface SystemInvitesRelationsByLocale extends InvitesRelationsByLocale {}

export interface SystemInvitesTypesByLocale extends InvitesTypesByLocale {
  record: SystemInvitesRecordByLocale
  create: SystemInvitesCreate
  update: SystemInvitesUpdate
  where: SystemInvitesWhere
  orderBy: SystemInvitesOrderBy
  columns: SystemInvitesColumns
  with: SystemInvitesWith
  relations: SystemInvitesRelationsByLocale
  byLocale: SystemInvitesTypesByLocale
}

export type ArticlesGroup = keyof ArticlesOrderBy | GroupByOptions<keyof ArticlesOrderBy> | undefined

export interface ArticlesFindOptions extends PageOptions {
  where?: ArticlesWhere | undefined
  orderBy?: ArticlesOrderBy | readonly ArticlesOrderBy[] | undefined
  includeDeleted?: undefined
  stage?: "draft" | "review" | "published" | undefined
}

export interface ArticlesFind<With, Columns, Group, Locale extends string> extends ArticlesFindOptions {
  with?: WithOption<ArticlesTypes, With>
  columns?: ColumnsOption<ArticlesTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface ArticlesOperations extends Reads, StagedWrites<ArticlesTypes, LocaleOptionsOf<AppLocale>>, Versions<ArticlesTypes, LocaleOptionsOf<AppLocale>>, Stages<ArticlesTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Group extends ArticlesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: ArticlesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<ArticlesTypes, With, Columns, Group, ArticlesTypesByLocale> : With | Columns | Group extends never ? Page<ArticlesRecord> : PageOf<ArticlesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: ArticlesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<ArticlesTypesByLocale, With, Columns> : (With | Columns extends never ? ArticlesRecord : Selected<ArticlesTypes, With, Columns>)) | null>
}

export interface ArticlesClient extends Reads, ClientStagedWrites<ArticlesTypes, ClientOptions<AppLocale>>, Versions<ArticlesTypes, ClientOptions<AppLocale>>, Stages<ArticlesTypes, ClientOptions<AppLocale>>, LiveCollection<ArticlesTypes> {
  find<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Group extends ArticlesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: ArticlesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<ArticlesTypes, With, Columns, Group, ArticlesTypesByLocale> : With | Columns | Group extends never ? Page<ArticlesRecord> : PageOf<ArticlesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends ArticlesWith = never, const Columns extends ArticlesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: ArticlesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<ArticlesTypesByLocale, With, Columns> : (With | Columns extends never ? ArticlesRecord : Selected<ArticlesTypes, With, Columns>)) | null>
}

export type CommentsGroup = keyof CommentsOrderBy | GroupByOptions<keyof CommentsOrderBy> | undefined

export interface CommentsFindOptions extends PageOptions {
  where?: CommentsWhere | undefined
  orderBy?: CommentsOrderBy | readonly CommentsOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface CommentsFind<With, Columns, Group, Locale extends string> extends CommentsFindOptions {
  with?: WithOption<CommentsTypes, With>
  columns?: ColumnsOption<CommentsTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface CommentsOperations extends Reads, CountAndWrites<CommentsTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends CommentsWith = never, const Columns extends CommentsColumns = never, const Group extends CommentsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: CommentsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<CommentsTypes, With, Columns, Group, CommentsTypesByLocale> : With | Columns | Group extends never ? Page<CommentsRecord> : PageOf<CommentsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends CommentsWith = never, const Columns extends CommentsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: CommentsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<CommentsTypesByLocale, With, Columns> : (With | Columns extends never ? CommentsRecord : Selected<CommentsTypes, With, Columns>)) | null>
}

export interface CommentsClient extends Reads, ClientWrites<CommentsTypes, ClientOptions<AppLocale>>, LiveCollection<CommentsTypes> {
  find<const With extends CommentsWith = never, const Columns extends CommentsColumns = never, const Group extends CommentsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: CommentsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<CommentsTypes, With, Columns, Group, CommentsTypesByLocale> : With | Columns | Group extends never ? Page<CommentsRecord> : PageOf<CommentsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends CommentsWith = never, const Columns extends CommentsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: CommentsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<CommentsTypesByLocale, With, Columns> : (With | Columns extends never ? CommentsRecord : Selected<CommentsTypes, With, Columns>)) | null>
}

export type InvitesGroup = keyof InvitesOrderBy | GroupByOptions<keyof InvitesOrderBy> | undefined

export interface InvitesFindOptions extends PageOptions {
  where?: InvitesWhere | undefined
  orderBy?: InvitesOrderBy | readonly InvitesOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface InvitesFind<With, Columns, Group, Locale extends string> extends InvitesFindOptions {
  with?: WithOption<InvitesTypes, With>
  columns?: ColumnsOption<InvitesTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface InvitesOperations extends Reads, CountAndWrites<InvitesTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends InvitesWith = never, const Columns extends InvitesColumns = never, const Group extends InvitesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: InvitesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<InvitesTypes, With, Columns, Group, InvitesTypesByLocale> : With | Columns | Group extends never ? Page<InvitesRecord> : PageOf<InvitesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends InvitesWith = never, const Columns extends InvitesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: InvitesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<InvitesTypesByLocale, With, Columns> : (With | Columns extends never ? InvitesRecord : Selected<InvitesTypes, With, Columns>)) | null>
}

export interface InvitesClient extends Reads, ClientWrites<InvitesTypes, ClientOptions<AppLocale>>, LiveCollection<InvitesTypes> {
  find<const With extends InvitesWith = never, const Columns extends InvitesColumns = never, const Group extends InvitesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: InvitesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<InvitesTypes, With, Columns, Group, InvitesTypesByLocale> : With | Columns | Group extends never ? Page<InvitesRecord> : PageOf<InvitesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends InvitesWith = never, const Columns extends InvitesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: InvitesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<InvitesTypesByLocale, With, Columns> : (With | Columns extends never ? InvitesRecord : Selected<InvitesTypes, With, Columns>)) | null>
}

export type MediaGroup = keyof MediaOrderBy | GroupByOptions<keyof MediaOrderBy> | undefined

export interface MediaFindOptions extends PageOptions {
  where?: MediaWhere | undefined
  orderBy?: MediaOrderBy | readonly MediaOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface MediaFind<With, Columns, Group, Locale extends string> extends MediaFindOptions {
  with?: WithOption<MediaTypes, With>
  columns?: ColumnsOption<MediaTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface MediaOperations extends Reads, CountAndWrites<MediaTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends MediaWith = never, const Columns extends MediaColumns = never, const Group extends MediaGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: MediaFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<MediaTypes, With, Columns, Group, MediaTypesByLocale> : With | Columns | Group extends never ? Page<MediaRecord> : PageOf<MediaTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends MediaWith = never, const Columns extends MediaColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: MediaFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<MediaTypesByLocale, With, Columns> : (With | Columns extends never ? MediaRecord : Selected<MediaTypes, With, Columns>)) | null>
}

export interface MediaClient extends Reads, ClientWrites<MediaTypes, ClientOptions<AppLocale>>, FileUploads<MediaRecord, MediaCreate>, LiveCollection<MediaTypes> {
  find<const With extends MediaWith = never, const Columns extends MediaColumns = never, const Group extends MediaGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: MediaFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<MediaTypes, With, Columns, Group, MediaTypesByLocale> : With | Columns | Group extends never ? Page<MediaRecord> : PageOf<MediaTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends MediaWith = never, const Columns extends MediaColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: MediaFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<MediaTypesByLocale, With, Columns> : (With | Columns extends never ? MediaRecord : Selected<MediaTypes, With, Columns>)) | null>
}

export type MembershipsGroup = keyof MembershipsOrderBy | GroupByOptions<keyof MembershipsOrderBy> | undefined

export interface MembershipsFindOptions extends PageOptions {
  where?: MembershipsWhere | undefined
  orderBy?: MembershipsOrderBy | readonly MembershipsOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface MembershipsFind<With, Columns, Group, Locale extends string> extends MembershipsFindOptions {
  with?: WithOption<MembershipsTypes, With>
  columns?: ColumnsOption<MembershipsTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface MembershipsOperations extends Reads, CountAndWrites<MembershipsTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends MembershipsWith = never, const Columns extends MembershipsColumns = never, const Group extends MembershipsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: MembershipsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<MembershipsTypes, With, Columns, Group, MembershipsTypesByLocale> : With | Columns | Group extends never ? Page<MembershipsRecord> : PageOf<MembershipsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends MembershipsWith = never, const Columns extends MembershipsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: MembershipsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<MembershipsTypesByLocale, With, Columns> : (With | Columns extends never ? MembershipsRecord : Selected<MembershipsTypes, With, Columns>)) | null>
}

export interface MembershipsClient extends Reads, ClientWrites<MembershipsTypes, ClientOptions<AppLocale>>, LiveCollection<MembershipsTypes> {
  find<const With extends MembershipsWith = never, const Columns extends MembershipsColumns = never, const Group extends MembershipsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: MembershipsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<MembershipsTypes, With, Columns, Group, MembershipsTypesByLocale> : With | Columns | Group extends never ? Page<MembershipsRecord> : PageOf<MembershipsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends MembershipsWith = never, const Columns extends MembershipsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: MembershipsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<MembershipsTypesByLocale, With, Columns> : (With | Columns extends never ? MembershipsRecord : Selected<MembershipsTypes, With, Columns>)) | null>
}

export type PagesGroup = keyof PagesOrderBy | GroupByOptions<keyof PagesOrderBy> | undefined

export interface PagesFindOptions extends PageOptions {
  where?: PagesWhere | undefined
  orderBy?: PagesOrderBy | readonly PagesOrderBy[] | undefined
  includeDeleted?: undefined
  stage?: "draft" | "published" | undefined
}

export interface PagesFind<With, Columns, Group, Locale extends string> extends PagesFindOptions {
  with?: WithOption<PagesTypes, With>
  columns?: ColumnsOption<PagesTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface PagesOperations extends Reads, StagedWrites<PagesTypes, LocaleOptionsOf<AppLocale>>, Versions<PagesTypes, LocaleOptionsOf<AppLocale>>, Stages<PagesTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends PagesWith = never, const Columns extends PagesColumns = never, const Group extends PagesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: PagesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<PagesTypes, With, Columns, Group, PagesTypesByLocale> : With | Columns | Group extends never ? Page<PagesRecord> : PageOf<PagesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends PagesWith = never, const Columns extends PagesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: PagesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<PagesTypesByLocale, With, Columns> : (With | Columns extends never ? PagesRecord : Selected<PagesTypes, With, Columns>)) | null>
}

export interface PagesClient extends Reads, ClientStagedWrites<PagesTypes, ClientOptions<AppLocale>>, Versions<PagesTypes, ClientOptions<AppLocale>>, Stages<PagesTypes, ClientOptions<AppLocale>>, LiveCollection<PagesTypes> {
  find<const With extends PagesWith = never, const Columns extends PagesColumns = never, const Group extends PagesGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: PagesFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<PagesTypes, With, Columns, Group, PagesTypesByLocale> : With | Columns | Group extends never ? Page<PagesRecord> : PageOf<PagesTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends PagesWith = never, const Columns extends PagesColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: PagesFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<PagesTypesByLocale, With, Columns> : (With | Columns extends never ? PagesRecord : Selected<PagesTypes, With, Columns>)) | null>
}

export type TagsGroup = keyof TagsOrderBy | GroupByOptions<keyof TagsOrderBy> | undefined

export interface TagsFindOptions extends PageOptions {
  where?: TagsWhere | undefined
  orderBy?: TagsOrderBy | readonly TagsOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface TagsFind<With, Columns, Group, Locale extends string> extends TagsFindOptions {
  with?: WithOption<TagsTypes, With>
  columns?: ColumnsOption<TagsTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface TagsOperations extends Reads, CountAndWrites<TagsTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends TagsWith = never, const Columns extends TagsColumns = never, const Group extends TagsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TagsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<TagsTypes, With, Columns, Group, TagsTypesByLocale> : With | Columns | Group extends never ? Page<TagsRecord> : PageOf<TagsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TagsWith = never, const Columns extends TagsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: TagsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<TagsTypesByLocale, With, Columns> : (With | Columns extends never ? TagsRecord : Selected<TagsTypes, With, Columns>)) | null>
}

export interface TagsClient extends Reads, ClientWrites<TagsTypes, ClientOptions<AppLocale>>, LiveCollection<TagsTypes> {
  find<const With extends TagsWith = never, const Columns extends TagsColumns = never, const Group extends TagsGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TagsFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<TagsTypes, With, Columns, Group, TagsTypesByLocale> : With | Columns | Group extends never ? Page<TagsRecord> : PageOf<TagsTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TagsWith = never, const Columns extends TagsColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: TagsFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<TagsTypesByLocale, With, Columns> : (With | Columns extends never ? TagsRecord : Selected<TagsTypes, With, Columns>)) | null>
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

export type UsersGroup = keyof UsersOrderBy | GroupByOptions<keyof UsersOrderBy> | undefined

export interface UsersFindOptions extends PageOptions {
  where?: UsersWhere | undefined
  orderBy?: UsersOrderBy | readonly UsersOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface UsersFind<With, Columns, Group, Locale extends string> extends UsersFindOptions {
  with?: WithOption<UsersTypes, With>
  columns?: ColumnsOption<UsersTypes, Columns>
  locale?: Locale | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface UsersOperations extends Reads, CountAndWrites<UsersTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Group extends UsersGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: UsersFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<UsersTypes, With, Columns, Group, UsersTypesByLocale> : With | Columns | Group extends never ? Page<UsersRecord> : PageOf<UsersTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: UsersFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>,
  ): Promise<("*" extends Locale ? Found<UsersTypesByLocale, With, Columns> : (With | Columns extends never ? UsersRecord : Selected<UsersTypes, With, Columns>)) | null>
}

export interface UsersClient extends Reads, ClientWrites<UsersTypes, ClientOptions<AppLocale>>, LiveCollection<UsersTypes> {
  find<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Group extends UsersGroup = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: UsersFind<With, Columns, Group, Locale> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<"*" extends Locale ? PageOf<UsersTypes, With, Columns, Group, UsersTypesByLocale> : With | Columns | Group extends never ? Page<UsersRecord> : PageOf<UsersTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Locale extends AppLocale | "*" = never, PageNumber extends number | undefined = undefined>(
    options?: UsersFind<With, Columns, never, Locale> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<("*" extends Locale ? Found<UsersTypesByLocale, With, Columns> : (With | Columns extends never ? UsersRecord : Selected<UsersTypes, With, Columns>)) | null>
}

export interface SystemArticlesOperations extends SystemReads<SystemArticlesTypes, ArticlesTypes>, StagedWrites<SystemArticlesTypes, LocaleOptionsOf<AppLocale>>, Versions<SystemArticlesTypes, LocaleOptionsOf<AppLocale>>, Stages<SystemArticlesTypes, LocaleOptionsOf<AppLocale>> {}

export interface SystemInvitesOperations extends SystemReads<SystemInvitesTypes, InvitesTypes>, CountAndWrites<SystemInvitesTypes, LocaleOptionsOf<AppLocale>> {}

export interface AppCollections {
  articles: ArticlesOperations
  comments: CommentsOperations
  invites: InvitesOperations
  media: MediaOperations
  memberships: MembershipsOperations
  pages: PagesOperations
  tags: TagsOperations
  teams: TeamsOperations
  users: UsersOperations
}

export interface AppGlobals {
  settings: TypedGlobal<SettingsTypes>
}

export interface AppSystemCollections extends AppCollections {
  articles: SystemArticlesOperations
  invites: SystemInvitesOperations
}

export interface AppSystemGlobals extends AppGlobals {}

export interface ArticlesFound extends ArticlesRecord, FoundRecord<"articles"> {}

export interface PagesFound extends PagesRecord, FoundRecord<"pages"> {}

export interface TeamsFound extends TeamsRecord, FoundRecord<"teams"> {}

export interface AppSearch {
  articles: { types: ArticlesTypes; found: ArticlesFound; where: ArticlesWhere; facet: "kind" | "stage" | "team" | "author" | "words"; stage: "draft" | "review" | "published" }
  pages: { types: PagesTypes; found: PagesFound; where: PagesWhere; facet: never; stage: "draft" | "published" }
  teams: { types: TeamsTypes; found: TeamsFound; where: TeamsWhere; facet: never; stage: never }
}

export interface AppDocuments {
  collections: {
    articles: { body: AppLocale }
  }
  globals: {}
}

export interface AppUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  role: string
  bio: string | null
  createdAt: Date
  updatedAt: Date
}

export interface AppConfig {
  auth: {
    user: AppUser
    signUp: {}
    update: {
      bio?: string | null
      memberships?: ManyInput<Omit<MembershipsCreate, "user">, MembershipsUpdate, Pick<MembershipsRecord, "id">>
    }
  }
  channels: {
    desk: ChannelCalls<typeof import("../channels/desk.js").default>
  }
  collections: {
    articles: ArticlesTypes
    comments: CommentsTypes
    invites: InvitesTypes
    media: MediaTypes
    memberships: MembershipsTypes
    pages: PagesTypes
    tags: TagsTypes
    teams: TeamsTypes
    users: UsersTypes
  }
  documents: AppDocuments
  globals: {
    settings: SettingsTypes
  }
  locale: AppLocale
  routes: {
    articles: RoutePath & {
      publish: RouteCall<typeof import("../routes/articles/publish.js").default> & RoutePath & {
        post: RouteCall<typeof import("../routes/articles/publish.js").default>
      }
    }
    stats: RoutePath & {
      get: RouteQuery<typeof import("../routes/stats.js").default>
    }
    teams: RoutePath & {
      invite: RouteCall<typeof import("../routes/teams/invite.js").default> & RoutePath & {
        post: RouteCall<typeof import("../routes/teams/invite.js").default>
      }
      join: RouteCall<typeof import("../routes/teams/join.js").default> & RoutePath & {
        post: RouteCall<typeof import("../routes/teams/join.js").default>
      }
    }
  }
  search: AppSearch
}
