// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  AccessContext,
  CollectionSteps,
} from "kit"

import type {
  ChangedContext,
  ChangingContext,
  CheckedRules,
  CreatingContext,
  DeclaredFields,
  DeclaredFieldsOf,
  FieldSet,
  FormOf,
  IndexDefinition,
  ListOf,
  NestedMany,
  NestedOne,
  OtherHooks,
  PreviewOf,
  PrivateRules,
  ResourceOptions,
  ResourceSteps,
  RuleResult,
  RulesArgument,
  SearchableOf,
  SelectedRecord,
  UncheckedInput,
} from "kit/generated"

import type {
  RichText,
} from "kit/client"

import type {
  ArticlesRecord,
  ArticlesRelations,
  ArticlesTypes,
  ArticlesWhere,
  CommentsRecord,
  CommentsRelations,
  CommentsTypes,
  CommentsWhere,
  InvitesRecord,
  InvitesRelations,
  InvitesTypes,
  InvitesWhere,
  MediaRecord,
  MediaTypes,
  MediaWhere,
  MembershipsRecord,
  MembershipsRelations,
  MembershipsTypes,
  MembershipsWhere,
  PagesRecord,
  PagesTypes,
  PagesWhere,
  TagsRecord,
  TagsRelations,
  TagsTypes,
  TagsWhere,
  TeamsRecord,
  TeamsRelations,
  TeamsTypes,
  TeamsWhere,
  UsersRecord,
  UsersRelations,
  UsersTypes,
  UsersWhere,
  SettingsRecord,
  SettingsRelations,
  SettingsTypes,
  SettingsWhere,
  PagesBodyBlock,
} from "./index.js"

export interface ArticlesChange<Declared extends DeclaredFields = DeclaredFields> {
  title?: string | null
  slug?: string
  summary?: string | null
  body?: RichText | null
  kind?: "news" | "report" | "opinion"
  team?: string | NestedOne
  author?: string | NestedOne
  tags?: NestedMany
  related?: NestedMany
  comments?: NestedMany
  cover?: string | NestedOne | null
  publishedAt?: Date | null
  words?: number | null
  notes?: string | null
  layout?: Declared["layout"]["value"] | null
}

export interface ArticlesData<Declared extends DeclaredFields = DeclaredFields> extends ArticlesChange<Declared> {
  title: string
  slug: string
  kind: "news" | "report" | "opinion"
  team: string | NestedOne
  author: string | NestedOne
  words: number | null
}

export interface ArticlesReadable {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly summary: string | null
  readonly body: RichText | null
  readonly kind: "news" | "report" | "opinion"
  readonly team: string
  readonly author: string
  readonly cover: string | null
  readonly publishedAt: Date | null
  readonly words: number | null
  readonly notes?: string | null
  readonly layout: unknown
  readonly stage: "draft" | "review" | "published"
  readonly changedSincePublished?: boolean | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ArticlesRow<Declared extends DeclaredFields = DeclaredFields> extends ArticlesReadable {
  readonly notes: string | null
  readonly layout: Declared["layout"]["value"] | null
}

export interface ArticlesResource<Declared extends DeclaredFields = DeclaredFields> {
  where: ArticlesWhere
  input: UncheckedInput<ArticlesData>
  data: ArticlesData<Declared>
  change: ArticlesChange<Declared>
  row: ArticlesRow<Declared>
  firstOriginal: never
  readable: ArticlesReadable
  shown: SelectedRecord<Omit<ArticlesRecord, "layout">, ArticlesRelations> & { layout?: Declared["layout"]["value"] | null }
}

export interface ArticlesReferrers {
  comments: "article"
}

export type ArticlesRule = boolean | ((context: AccessContext<"articles">) => RuleResult<ArticlesWhere>)

export interface ArticlesAccess {
  read?: ArticlesRule
  create?: ArticlesRule
  update?: ArticlesRule
  delete?: ArticlesRule
  restore?: ArticlesRule
  purge?: ArticlesRule
  versions?: ArticlesRule
  transition?: ArticlesRule
  drafts?: ArticlesRule
  upload?: ArticlesRule
  serve?: ArticlesRule
  introspect?: ArticlesRule
}

export interface ArticlesBeforeChange<Declared extends DeclaredFields> {
  (context: CreatingContext<ArticlesData<Declared>> | ChangingContext<ArticlesChange<Declared>, ArticlesRow<Declared>>): void
}

export interface ArticlesAfterChange<Declared extends DeclaredFields> {
  (context: ChangedContext<ArticlesRow<Declared>>): void
}

export interface ArticlesHooks<Declared extends DeclaredFields> extends OtherHooks<ArticlesResource<Declared>> {
  beforeChange?: ArticlesBeforeChange<Declared> | ArrayLike<ArticlesBeforeChange<Declared>>
  afterChange?: ArticlesAfterChange<Declared> | ArrayLike<ArticlesAfterChange<Declared>>
}

export interface ArticlesCollection<Declared extends DeclaredFields = DeclaredFields> extends CollectionSteps {
  readonly declared: Declared
  fields<Given extends DeclaredFieldsOf<ArticlesWhere>>(declare: (tools: { f: FieldSet<ArticlesReadable, ArticlesReferrers> }) => Given): ArticlesCollection<Given>
  title(field: "title" | "slug" | "summary" | "notes"): this
  searchable<With = never>(searchable: SearchableOf<ArticlesTypes, ArticlesRow<Declared>, With, { field: "title" | "slug" | "summary" | "body" | "kind" | "notes" | "stage"; title: "title" | "slug" | "summary" | "notes"; facet: "title" | "slug" | "summary" | "kind" | "team" | "author" | "cover" | "publishedAt" | "words" | "notes" | "stage" | "revision" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"title" | "slug" | "summary" | "body" | "kind" | "team" | "author" | "cover" | "publishedAt" | "words" | "notes" | "layout" | "createdAt" | "updatedAt">[]): this
  access<Rules extends ArticlesAccess, Checked = CheckedRules<Rules, "articles", ArticlesWhere>>(rules: RulesArgument<Rules, Checked>): this
  hooks(hooks: ArticlesHooks<Declared>): this
  options(options: ResourceOptions): this
  list(list: ListOf<ArticlesTypes>): this
  form(layout: FormOf<ArticlesTypes>): this
  preview(urlOf: PreviewOf<ArticlesReadable, "draft" | "review" | "published">): this
}

export interface CommentsChange {
  article?: string | NestedOne
  author?: string | NestedOne
  text?: string
}

export interface CommentsData extends CommentsChange {
  article: string | NestedOne
  author: string | NestedOne
  text: string
}

export interface CommentsRow {
  readonly id: string
  readonly article: string
  readonly author: string
  readonly text: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface CommentsResource {
  where: CommentsWhere
  input: UncheckedInput<CommentsData>
  data: CommentsData
  change: CommentsChange
  row: CommentsRow
  firstOriginal: never
  readable: CommentsRecord
  shown: SelectedRecord<CommentsRecord, CommentsRelations>
}

export interface CommentsReferrers {}

export type CommentsRule = boolean | ((context: AccessContext<"comments">) => RuleResult<CommentsWhere>)

export interface CommentsAccess {
  read?: CommentsRule
  create?: CommentsRule
  update?: CommentsRule
  delete?: CommentsRule
  restore?: CommentsRule
  purge?: CommentsRule
  versions?: CommentsRule
  transition?: CommentsRule
  drafts?: CommentsRule
  upload?: CommentsRule
  serve?: CommentsRule
  introspect?: CommentsRule
}

export interface CommentsBeforeChange {
  (context: CreatingContext<CommentsData> | ChangingContext<CommentsChange, CommentsRow>): void
}

export interface CommentsAfterChange {
  (context: ChangedContext<CommentsRow>): void
}

export interface CommentsHooks extends OtherHooks<CommentsResource> {
  beforeChange?: CommentsBeforeChange | ArrayLike<CommentsBeforeChange>
  afterChange?: CommentsAfterChange | ArrayLike<CommentsAfterChange>
}

export interface CommentsCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<CommentsRecord, CommentsReferrers> }) => DeclaredFieldsOf<CommentsWhere>): CommentsCollection
  title(field: "text"): CommentsCollection
  searchable<With = never>(searchable: SearchableOf<CommentsTypes, CommentsRow, With, { field: "text"; title: "text"; facet: "article" | "author" | "text" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"article" | "author" | "text" | "createdAt" | "updatedAt">[]): this
  access<Rules extends CommentsAccess, Checked = CheckedRules<Rules, "comments", CommentsWhere>>(rules: RulesArgument<Rules, Checked>): CommentsCollection
  hooks(hooks: CommentsHooks): CommentsCollection
  options(options: ResourceOptions): CommentsCollection
  list(list: ListOf<CommentsTypes>): CommentsCollection
  form(layout: FormOf<CommentsTypes>): CommentsCollection
  preview(urlOf: PreviewOf<CommentsRecord, never>): CommentsCollection
}

export interface InvitesChange {
  team?: string | NestedOne
  email?: string
  code?: string
  acceptedAt?: Date | null
}

export interface InvitesData extends InvitesChange {
  team: string | NestedOne
  email: string
  code: string
}

export interface InvitesRow {
  readonly id: string
  readonly team: string
  readonly email: string
  readonly code: string
  readonly acceptedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface InvitesResource {
  where: InvitesWhere
  input: UncheckedInput<InvitesData>
  data: InvitesData
  change: InvitesChange
  row: InvitesRow
  firstOriginal: never
  readable: InvitesRecord
  shown: SelectedRecord<InvitesRecord, InvitesRelations>
}

export interface InvitesReferrers {}

export type InvitesRule = boolean | ((context: AccessContext<"invites">) => RuleResult<InvitesWhere>)

export interface InvitesAccess {
  read?: InvitesRule
  create?: InvitesRule
  update?: InvitesRule
  delete?: InvitesRule
  restore?: InvitesRule
  purge?: InvitesRule
  versions?: InvitesRule
  transition?: InvitesRule
  drafts?: InvitesRule
  upload?: InvitesRule
  serve?: InvitesRule
  introspect?: InvitesRule
}

export interface InvitesBeforeChange {
  (context: CreatingContext<InvitesData> | ChangingContext<InvitesChange, InvitesRow>): void
}

export interface InvitesAfterChange {
  (context: ChangedContext<InvitesRow>): void
}

export interface InvitesHooks extends OtherHooks<InvitesResource> {
  beforeChange?: InvitesBeforeChange | ArrayLike<InvitesBeforeChange>
  afterChange?: InvitesAfterChange | ArrayLike<InvitesAfterChange>
}

export interface InvitesCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<InvitesRecord, InvitesReferrers> }) => DeclaredFieldsOf<InvitesWhere>): InvitesCollection
  title(field: "email" | "code"): InvitesCollection
  searchable<With = never>(searchable: SearchableOf<InvitesTypes, InvitesRow, With, { field: "email" | "code"; title: "email" | "code"; facet: "team" | "email" | "code" | "acceptedAt" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"team" | "email" | "code" | "acceptedAt" | "createdAt" | "updatedAt">[]): this
  access<Rules extends InvitesAccess, Checked = CheckedRules<Rules, "invites", InvitesWhere>>(rules: RulesArgument<Rules, Checked>): InvitesCollection
  hooks(hooks: InvitesHooks): InvitesCollection
  options(options: ResourceOptions): InvitesCollection
  list(list: ListOf<InvitesTypes>): InvitesCollection
  form(layout: FormOf<InvitesTypes>): InvitesCollection
  preview(urlOf: PreviewOf<InvitesRecord, never>): InvitesCollection
}

export interface MediaChange {
  alt?: string | null
  visibility?: "public" | "private"
}

export interface MediaData extends MediaChange {
  visibility: "public" | "private"
}

export interface MediaRow {
  readonly id: string
  readonly alt: string | null
  readonly key: string
  readonly filename: string
  readonly mimeType: string
  readonly size: number
  readonly checksum: string
  readonly width: number | null
  readonly height: number | null
  readonly visibility: "public" | "private"
  readonly url: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface MediaResource {
  where: MediaWhere
  input: UncheckedInput<MediaData>
  data: MediaData
  change: MediaChange
  row: MediaRow
  firstOriginal: never
  readable: MediaRecord
  shown: SelectedRecord<MediaRecord, {}>
}

export interface MediaReferrers {
  articles: "cover"
}

export type MediaRule = boolean | ((context: AccessContext<"media">) => RuleResult<MediaWhere>)

export interface MediaAccess {
  read?: MediaRule
  create?: MediaRule
  update?: MediaRule
  delete?: MediaRule
  restore?: MediaRule
  purge?: MediaRule
  versions?: MediaRule
  transition?: MediaRule
  drafts?: MediaRule
  upload?: MediaRule
  serve?: MediaRule
  introspect?: MediaRule
}

export interface MediaBeforeChange {
  (context: CreatingContext<MediaData> | ChangingContext<MediaChange, MediaRow>): void
}

export interface MediaAfterChange {
  (context: ChangedContext<MediaRow>): void
}

export interface MediaHooks extends OtherHooks<MediaResource> {
  beforeChange?: MediaBeforeChange | ArrayLike<MediaBeforeChange>
  afterChange?: MediaAfterChange | ArrayLike<MediaAfterChange>
}

export interface MediaCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<MediaRecord, MediaReferrers> }) => DeclaredFieldsOf<MediaWhere>): MediaCollection
  title(field: "alt"): MediaCollection
  searchable<With = never>(searchable: SearchableOf<MediaTypes, MediaRow, With, { field: "alt" | "key" | "filename" | "mimeType" | "checksum" | "visibility"; title: "alt" | "key" | "filename" | "mimeType" | "checksum"; facet: "alt" | "key" | "filename" | "mimeType" | "size" | "checksum" | "width" | "height" | "visibility" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"alt" | "key" | "filename" | "mimeType" | "size" | "checksum" | "width" | "height" | "visibility" | "createdAt" | "updatedAt">[]): this
  access<Rules extends MediaAccess, Checked = CheckedRules<Rules, "media", MediaWhere>>(rules: RulesArgument<Rules, Checked>): MediaCollection
  hooks(hooks: MediaHooks): MediaCollection
  options(options: ResourceOptions): MediaCollection
  list(list: ListOf<MediaTypes>): MediaCollection
  form(layout: FormOf<MediaTypes>): MediaCollection
  preview(urlOf: PreviewOf<MediaRecord, never>): MediaCollection
}

export interface MembershipsChange {
  team?: string | NestedOne
  user?: string | NestedOne
  role?: "editor" | "writer"
}

export interface MembershipsData extends MembershipsChange {
  team: string | NestedOne
  user: string | NestedOne
  role: "editor" | "writer"
}

export interface MembershipsRow {
  readonly id: string
  readonly team: string
  readonly user: string
  readonly role: "editor" | "writer"
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface MembershipsResource {
  where: MembershipsWhere
  input: UncheckedInput<MembershipsData>
  data: MembershipsData
  change: MembershipsChange
  row: MembershipsRow
  firstOriginal: never
  readable: MembershipsRecord
  shown: SelectedRecord<MembershipsRecord, MembershipsRelations>
}

export interface MembershipsReferrers {}

export type MembershipsRule = boolean | ((context: AccessContext<"memberships">) => RuleResult<MembershipsWhere>)

export interface MembershipsAccess {
  read?: MembershipsRule
  create?: MembershipsRule
  update?: MembershipsRule
  delete?: MembershipsRule
  restore?: MembershipsRule
  purge?: MembershipsRule
  versions?: MembershipsRule
  transition?: MembershipsRule
  drafts?: MembershipsRule
  upload?: MembershipsRule
  serve?: MembershipsRule
  introspect?: MembershipsRule
}

export interface MembershipsBeforeChange {
  (context: CreatingContext<MembershipsData> | ChangingContext<MembershipsChange, MembershipsRow>): void
}

export interface MembershipsAfterChange {
  (context: ChangedContext<MembershipsRow>): void
}

export interface MembershipsHooks extends OtherHooks<MembershipsResource> {
  beforeChange?: MembershipsBeforeChange | ArrayLike<MembershipsBeforeChange>
  afterChange?: MembershipsAfterChange | ArrayLike<MembershipsAfterChange>
}

export interface MembershipsCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<MembershipsRecord, MembershipsReferrers> }) => DeclaredFieldsOf<MembershipsWhere>): MembershipsCollection
  title(field: never): MembershipsCollection
  searchable<With = never>(searchable: SearchableOf<MembershipsTypes, MembershipsRow, With, { field: "role"; title: never; facet: "team" | "user" | "role" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"team" | "user" | "role" | "createdAt" | "updatedAt">[]): this
  access<Rules extends MembershipsAccess, Checked = CheckedRules<Rules, "memberships", MembershipsWhere>>(rules: RulesArgument<Rules, Checked>): MembershipsCollection
  hooks(hooks: MembershipsHooks): MembershipsCollection
  options(options: ResourceOptions): MembershipsCollection
  list(list: ListOf<MembershipsTypes>): MembershipsCollection
  form(layout: FormOf<MembershipsTypes>): MembershipsCollection
  preview(urlOf: PreviewOf<MembershipsRecord, never>): MembershipsCollection
}

export interface PagesChange {
  title?: string | null
  slug?: string
  body?: PagesBodyBlock[] | null
}

export interface PagesData extends PagesChange {
  title: string
  slug: string
}

export interface PagesRow {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly body: PagesBodyBlock[] | null
  readonly stage: "draft" | "published"
  readonly changedSincePublished?: boolean | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface PagesResource {
  where: PagesWhere
  input: UncheckedInput<PagesData>
  data: PagesData
  change: PagesChange
  row: PagesRow
  firstOriginal: never
  readable: PagesRecord
  shown: SelectedRecord<PagesRecord, {}>
}

export interface PagesReferrers {}

export type PagesRule = boolean | ((context: AccessContext<"pages">) => RuleResult<PagesWhere>)

export interface PagesAccess {
  read?: PagesRule
  create?: PagesRule
  update?: PagesRule
  delete?: PagesRule
  restore?: PagesRule
  purge?: PagesRule
  versions?: PagesRule
  transition?: PagesRule
  drafts?: PagesRule
  upload?: PagesRule
  serve?: PagesRule
  introspect?: PagesRule
}

export interface PagesBeforeChange {
  (context: CreatingContext<PagesData> | ChangingContext<PagesChange, PagesRow>): void
}

export interface PagesAfterChange {
  (context: ChangedContext<PagesRow>): void
}

export interface PagesHooks extends OtherHooks<PagesResource> {
  beforeChange?: PagesBeforeChange | ArrayLike<PagesBeforeChange>
  afterChange?: PagesAfterChange | ArrayLike<PagesAfterChange>
}

export interface PagesCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<PagesRecord, PagesReferrers> }) => DeclaredFieldsOf<PagesWhere>): PagesCollection
  title(field: "title" | "slug"): PagesCollection
  searchable<With = never>(searchable: SearchableOf<PagesTypes, PagesRow, With, { field: "title" | "slug" | "body" | "stage"; title: "title" | "slug"; facet: "title" | "slug" | "stage" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"title" | "slug" | "body" | "createdAt" | "updatedAt">[]): this
  access<Rules extends PagesAccess, Checked = CheckedRules<Rules, "pages", PagesWhere>>(rules: RulesArgument<Rules, Checked>): PagesCollection
  hooks(hooks: PagesHooks): PagesCollection
  options(options: ResourceOptions): PagesCollection
  list(list: ListOf<PagesTypes>): PagesCollection
  form(layout: FormOf<PagesTypes>): PagesCollection
  preview(urlOf: PreviewOf<PagesRecord, "draft" | "published">): PagesCollection
}

export interface TagsChange {
  name?: string
  articles?: NestedMany
}

export interface TagsData extends TagsChange {
  name: string
}

export interface TagsRow {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface TagsResource {
  where: TagsWhere
  input: UncheckedInput<TagsData>
  data: TagsData
  change: TagsChange
  row: TagsRow
  firstOriginal: never
  readable: TagsRecord
  shown: SelectedRecord<TagsRecord, TagsRelations>
}

export interface TagsReferrers {}

export type TagsRule = boolean | ((context: AccessContext<"tags">) => RuleResult<TagsWhere>)

export interface TagsAccess {
  read?: TagsRule
  create?: TagsRule
  update?: TagsRule
  delete?: TagsRule
  restore?: TagsRule
  purge?: TagsRule
  versions?: TagsRule
  transition?: TagsRule
  drafts?: TagsRule
  upload?: TagsRule
  serve?: TagsRule
  introspect?: TagsRule
}

export interface TagsBeforeChange {
  (context: CreatingContext<TagsData> | ChangingContext<TagsChange, TagsRow>): void
}

export interface TagsAfterChange {
  (context: ChangedContext<TagsRow>): void
}

export interface TagsHooks extends OtherHooks<TagsResource> {
  beforeChange?: TagsBeforeChange | ArrayLike<TagsBeforeChange>
  afterChange?: TagsAfterChange | ArrayLike<TagsAfterChange>
}

export interface TagsCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<TagsRecord, TagsReferrers> }) => DeclaredFieldsOf<TagsWhere>): TagsCollection
  title(field: "name"): TagsCollection
  searchable<With = never>(searchable: SearchableOf<TagsTypes, TagsRow, With, { field: "name"; title: "name"; facet: "name" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"name" | "createdAt" | "updatedAt">[]): this
  access<Rules extends TagsAccess, Checked = CheckedRules<Rules, "tags", TagsWhere>>(rules: RulesArgument<Rules, Checked>): TagsCollection
  hooks(hooks: TagsHooks): TagsCollection
  options(options: ResourceOptions): TagsCollection
  list(list: ListOf<TagsTypes>): TagsCollection
  form(layout: FormOf<TagsTypes>): TagsCollection
  preview(urlOf: PreviewOf<TagsRecord, never>): TagsCollection
}

export interface TeamsChange {
  name?: string | null
  slug?: string
  about?: string | null
  memberships?: NestedMany
}

export interface TeamsData extends TeamsChange {
  name: string
  slug: string
}

export interface TeamsRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly about: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface TeamsResource {
  where: TeamsWhere
  input: UncheckedInput<TeamsData>
  data: TeamsData
  change: TeamsChange
  row: TeamsRow
  firstOriginal: never
  readable: TeamsRecord
  shown: SelectedRecord<TeamsRecord, TeamsRelations>
}

export interface TeamsReferrers {
  articles: "team"
  invites: "team"
  memberships: "team"
}

export type TeamsRule = boolean | ((context: AccessContext<"teams">) => RuleResult<TeamsWhere>)

export interface TeamsAccess {
  read?: TeamsRule
  create?: TeamsRule
  update?: TeamsRule
  delete?: TeamsRule
  restore?: TeamsRule
  purge?: TeamsRule
  versions?: TeamsRule
  transition?: TeamsRule
  drafts?: TeamsRule
  upload?: TeamsRule
  serve?: TeamsRule
  introspect?: TeamsRule
}

export interface TeamsBeforeChange {
  (context: CreatingContext<TeamsData> | ChangingContext<TeamsChange, TeamsRow>): void
}

export interface TeamsAfterChange {
  (context: ChangedContext<TeamsRow>): void
}

export interface TeamsHooks extends OtherHooks<TeamsResource> {
  beforeChange?: TeamsBeforeChange | ArrayLike<TeamsBeforeChange>
  afterChange?: TeamsAfterChange | ArrayLike<TeamsAfterChange>
}

export interface TeamsCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<TeamsRecord, TeamsReferrers> }) => DeclaredFieldsOf<TeamsWhere>): TeamsCollection
  title(field: "name" | "slug" | "about"): TeamsCollection
  searchable<With = never>(searchable: SearchableOf<TeamsTypes, TeamsRow, With, { field: "name" | "slug" | "about"; title: "name" | "slug" | "about"; facet: "name" | "slug" | "about" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"name" | "slug" | "about" | "createdAt" | "updatedAt">[]): this
  access<Rules extends TeamsAccess, Checked = CheckedRules<Rules, "teams", TeamsWhere>>(rules: RulesArgument<Rules, Checked>): TeamsCollection
  hooks(hooks: TeamsHooks): TeamsCollection
  options(options: ResourceOptions): TeamsCollection
  list(list: ListOf<TeamsTypes>): TeamsCollection
  form(layout: FormOf<TeamsTypes>): TeamsCollection
  preview(urlOf: PreviewOf<TeamsRecord, never>): TeamsCollection
}

export interface UsersChange {
  name?: string
  email?: string
  emailVerified?: boolean
  image?: string | null
  role?: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | null
  bio?: string | null
  memberships?: NestedMany
}

export interface UsersData extends UsersChange {
  name: string
  email: string
  emailVerified: boolean
  role: string
  banned: boolean
}

export interface UsersRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly image: string | null
  readonly role: string
  readonly banned: boolean
  readonly banReason: string | null
  readonly banExpires: Date | null
  readonly bio: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface UsersResource {
  where: UsersWhere
  input: UncheckedInput<UsersData>
  data: UsersData
  change: UsersChange
  row: UsersRow
  firstOriginal: never
  readable: UsersRecord
  shown: SelectedRecord<UsersRecord, UsersRelations>
}

export interface UsersReferrers {
  articles: "author"
  comments: "author"
  memberships: "user"
}

export type UsersRule = boolean | ((context: AccessContext<"users">) => RuleResult<UsersWhere>)

export interface UsersAccess {
  read?: UsersRule
  create?: UsersRule
  update?: UsersRule
  delete?: UsersRule
  restore?: UsersRule
  purge?: UsersRule
  versions?: UsersRule
  transition?: UsersRule
  drafts?: UsersRule
  upload?: UsersRule
  serve?: UsersRule
  introspect?: UsersRule
}

export interface UsersBeforeChange {
  (context: CreatingContext<UsersData> | ChangingContext<UsersChange, UsersRow>): void
}

export interface UsersAfterChange {
  (context: ChangedContext<UsersRow>): void
}

export interface UsersHooks extends OtherHooks<UsersResource> {
  beforeChange?: UsersBeforeChange | ArrayLike<UsersBeforeChange>
  afterChange?: UsersAfterChange | ArrayLike<UsersAfterChange>
}

export interface UsersCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<UsersRecord, UsersReferrers> }) => DeclaredFieldsOf<UsersWhere>): UsersCollection
  title(field: "name" | "email" | "image" | "role" | "banReason" | "bio"): UsersCollection
  searchable<With = never>(searchable: SearchableOf<UsersTypes, UsersRow, With, { field: "name" | "email" | "image" | "role" | "banReason" | "bio"; title: "name" | "email" | "image" | "role" | "banReason" | "bio"; facet: "name" | "email" | "emailVerified" | "image" | "role" | "banned" | "banReason" | "banExpires" | "bio" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"name" | "email" | "emailVerified" | "image" | "role" | "banned" | "banReason" | "banExpires" | "bio" | "createdAt" | "updatedAt">[]): this
  access<Rules extends UsersAccess, Checked = CheckedRules<Rules, "users", UsersWhere>>(rules: RulesArgument<Rules, Checked>): UsersCollection
  hooks(hooks: UsersHooks): UsersCollection
  options(options: ResourceOptions): UsersCollection
  list(list: ListOf<UsersTypes>): UsersCollection
  form(layout: FormOf<UsersTypes>): UsersCollection
  preview(urlOf: PreviewOf<UsersRecord, never>): UsersCollection
  privateAccess(reads: PrivateRules): UsersCollection
}

export interface SettingsChange {
  siteName?: string
  tagline?: string | null
  frontPageArticle?: string | NestedOne | null
}

export interface SettingsData extends SettingsChange {
  siteName: string
}

export interface SettingsRow {
  readonly siteName: string
  readonly tagline: string | null
  readonly frontPageArticle: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface SettingsResource {
  where: SettingsWhere
  input: UncheckedInput<SettingsData>
  data: SettingsData
  change: SettingsChange
  row: SettingsRow
  firstOriginal: null
  readable: SettingsRecord
  shown: SelectedRecord<SettingsRecord, SettingsRelations>
}

export interface SettingsReferrers {}

export type SettingsRule = boolean | ((context: AccessContext<"settings">) => RuleResult<SettingsWhere>)

export interface SettingsAccess {
  read?: SettingsRule
  create?: SettingsRule
  update?: SettingsRule
  delete?: SettingsRule
  restore?: SettingsRule
  purge?: SettingsRule
  versions?: SettingsRule
  transition?: SettingsRule
  drafts?: SettingsRule
  upload?: SettingsRule
  serve?: SettingsRule
  introspect?: SettingsRule
}

export interface SettingsBeforeChange {
  (context: CreatingContext<SettingsData> | ChangingContext<SettingsChange, SettingsRow | null>): void
}

export interface SettingsAfterChange {
  (context: ChangedContext<SettingsRow>): void
}

export interface SettingsHooks extends OtherHooks<SettingsResource> {
  beforeChange?: SettingsBeforeChange | ArrayLike<SettingsBeforeChange>
  afterChange?: SettingsAfterChange | ArrayLike<SettingsAfterChange>
}

export interface SettingsGlobal extends ResourceSteps {
  fields(declare: (tools: { f: FieldSet<SettingsRecord, SettingsReferrers> }) => DeclaredFieldsOf<SettingsWhere>): SettingsGlobal
  access<Rules extends SettingsAccess, Checked = CheckedRules<Rules, "settings", SettingsWhere>>(rules: RulesArgument<Rules, Checked>): SettingsGlobal
  hooks(hooks: SettingsHooks): SettingsGlobal
  options(options: ResourceOptions): SettingsGlobal
  form(layout: FormOf<SettingsTypes>): SettingsGlobal
  preview(urlOf: PreviewOf<SettingsRecord, never>): SettingsGlobal
}

export interface AppResources {
  articles: ArticlesResource
  comments: CommentsResource
  invites: InvitesResource
  media: MediaResource
  memberships: MembershipsResource
  pages: PagesResource
  tags: TagsResource
  teams: TeamsResource
  users: UsersResource
  settings: SettingsResource
}

export interface AppCollectionBuilders {
  articles: ArticlesCollection
  comments: CommentsCollection
  invites: InvitesCollection
  media: MediaCollection
  memberships: MembershipsCollection
  pages: PagesCollection
  tags: TagsCollection
  teams: TeamsCollection
  users: UsersCollection
}

export interface AppGlobalBuilders {
  settings: SettingsGlobal
}
