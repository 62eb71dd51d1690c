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
  PeopleRecord,
  PeopleRelations,
  PeopleTypes,
  PeopleWhere,
  TeamsRecord,
  TeamsTypes,
  TeamsWhere,
  SettingsRecord,
  SettingsRelations,
  SettingsTypes,
  SettingsWhere,
  ArticlesPageBlock,
  ArticlesTeaserBlock,
} from "./index.js"

export interface ArticlesChange<Declared extends DeclaredFields = DeclaredFields> {
  title?: string
  body?: string | null
  lead?: string | null
  heard?: Date | null
  sources?: Declared["sources"]["value"] | null
  status?: "idea" | "writing" | "done"
  featured?: boolean | null
  words?: number | null
  views?: bigint | null
  price?: string | null
  publishedAt?: Date | null
  meta?: Declared["meta"]["value"] | null
  contact?: string | null
  link?: string | null
  day?: string | null
  opens?: string | null
  topics?: ("sport" | "culture")[]
  keywords?: string[] | null
  moments?: Date[] | null
  place?: { city: string; since: Date | null; size: bigint | null } | null
  links?: { url: string; label: string | null }[] | null
  page?: ArticlesPageBlock[] | null
  cast?: { role: string | null; person: string }[] | null
  teaser?: ArticlesTeaserBlock[] | null
  story?: RichText | null
  author?: string | NestedOne
  editor?: string | NestedOne | null
  teams?: NestedMany
  notes?: string | null
  secret?: string | null
}

export interface ArticlesData<Declared extends DeclaredFields = DeclaredFields> extends ArticlesChange<Declared> {
  title: string
  status: "idea" | "writing" | "done"
  topics: ("sport" | "culture")[]
  author: string | NestedOne
}

export interface ArticlesReadable {
  readonly id: string
  readonly title: string
  readonly body: string | null
  readonly lead: string | null
  readonly heard: Date | null
  readonly sources: unknown
  readonly status: "idea" | "writing" | "done"
  readonly featured: boolean | null
  readonly words: number | null
  readonly views: bigint | null
  readonly price: string | null
  readonly publishedAt: Date | null
  readonly meta: unknown
  readonly contact: string | null
  readonly link: string | null
  readonly day: string | null
  readonly opens: string | null
  readonly topics: ("sport" | "culture")[]
  readonly keywords: string[] | null
  readonly moments: Date[] | null
  readonly place: { city: string; since: Date | null; size: bigint | null } | null
  readonly links: { url: string; label: string | null }[] | null
  readonly page: ArticlesPageBlock[] | null
  readonly cast: { role: string | null; person: string }[] | null
  readonly teaser: ArticlesTeaserBlock[] | null
  readonly story: RichText | null
  readonly letters: number
  readonly author: string
  readonly editor: string | null
  readonly notes?: string | null
  readonly stage: "draft" | "published"
  readonly changedSincePublished?: boolean | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export interface ArticlesRow<Declared extends DeclaredFields = DeclaredFields> extends ArticlesReadable {
  readonly sources: Declared["sources"]["value"] | null
  readonly meta: Declared["meta"]["value"] | null
  readonly shout: Declared["shout"]["value"]
  readonly notes: string | null
  readonly secret: string | null
}

export interface ArticlesResource<Declared extends DeclaredFields = DeclaredFields> {
  where: ArticlesWhere
  input: UncheckedInput<ArticlesData>
  data: ArticlesData<Declared>
  change: ArticlesChange<Declared>
  row: ArticlesRow<Declared>
  firstOriginal: never
  readable: ArticlesReadable
  shown: SelectedRecord<Omit<ArticlesRecord, "sources" | "meta" | "shout">, ArticlesRelations> & { sources?: Declared["sources"]["value"] | null; meta?: Declared["meta"]["value"] | null; shout?: Declared["shout"]["value"] }
}

export interface ArticlesReferrers {}

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
  title(field: "title" | "body" | "lead" | "contact" | "link" | "notes" | "secret"): this
  searchable<With = never>(searchable: SearchableOf<ArticlesTypes, ArticlesRow<Declared>, With, { field: "title" | "body" | "lead" | "status" | "contact" | "link" | "topics" | "keywords" | "page" | "story" | "notes" | "secret" | "stage"; title: "title" | "body" | "lead" | "contact" | "link" | "notes"; facet: "title" | "body" | "lead" | "heard" | "status" | "featured" | "words" | "views" | "price" | "publishedAt" | "contact" | "link" | "day" | "topics" | "keywords" | "author" | "editor" | "notes" | "stage" | "revision" | "createdAt" | "updatedAt" | "deletedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"title" | "body" | "lead" | "heard" | "sources" | "status" | "featured" | "words" | "views" | "price" | "publishedAt" | "meta" | "contact" | "link" | "day" | "opens" | "topics" | "keywords" | "moments" | "place" | "links" | "page" | "cast" | "teaser" | "story" | "author" | "editor" | "notes" | "secret" | "createdAt" | "updatedAt" | "deletedAt">[]): this
  access<Rules extends ArticlesAccess, Checked = CheckedRules<Rules, "articles", ArticlesWhere>>(rules: RulesArgument<Rules, Checked>): this
  hooks(hooks: ArticlesHooks<Declared>): this
  options(options: ResourceOptions): this
  list(list: ListOf<ArticlesTypes>): this
  form(layout: FormOf<ArticlesTypes>): this
  preview(urlOf: PreviewOf<ArticlesReadable, "draft" | "published">): this
}

export interface PeopleChange {
  name?: string
  email?: string
  bio?: string | null
  team?: string | NestedOne | null
  boss?: string | NestedOne | null
  articles?: NestedMany
}

export interface PeopleData extends PeopleChange {
  name: string
  email: string
}

export interface PeopleRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly bio: string | null
  readonly team: string | null
  readonly boss: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface PeopleResource {
  where: PeopleWhere
  input: UncheckedInput<PeopleData>
  data: PeopleData
  change: PeopleChange
  row: PeopleRow
  firstOriginal: never
  readable: PeopleRecord
  shown: SelectedRecord<PeopleRecord, PeopleRelations>
}

export interface PeopleReferrers {
  articles: "author" | "editor"
  people: "boss"
}

export type PeopleRule = boolean | ((context: AccessContext<"people">) => RuleResult<PeopleWhere>)

export interface PeopleAccess {
  read?: PeopleRule
  create?: PeopleRule
  update?: PeopleRule
  delete?: PeopleRule
  restore?: PeopleRule
  purge?: PeopleRule
  versions?: PeopleRule
  transition?: PeopleRule
  drafts?: PeopleRule
  upload?: PeopleRule
  serve?: PeopleRule
  introspect?: PeopleRule
}

export interface PeopleBeforeChange {
  (context: CreatingContext<PeopleData> | ChangingContext<PeopleChange, PeopleRow>): void
}

export interface PeopleAfterChange {
  (context: ChangedContext<PeopleRow>): void
}

export interface PeopleHooks extends OtherHooks<PeopleResource> {
  beforeChange?: PeopleBeforeChange | ArrayLike<PeopleBeforeChange>
  afterChange?: PeopleAfterChange | ArrayLike<PeopleAfterChange>
}

export interface PeopleCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<PeopleRecord, PeopleReferrers> }) => DeclaredFieldsOf<PeopleWhere>): PeopleCollection
  title(field: "name" | "email" | "bio"): PeopleCollection
  searchable<With = never>(searchable: SearchableOf<PeopleTypes, PeopleRow, With, { field: "name" | "email" | "bio"; title: "name" | "email" | "bio"; facet: "name" | "email" | "bio" | "team" | "boss" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"name" | "email" | "bio" | "team" | "boss" | "createdAt" | "updatedAt">[]): this
  access<Rules extends PeopleAccess, Checked = CheckedRules<Rules, "people", PeopleWhere>>(rules: RulesArgument<Rules, Checked>): PeopleCollection
  hooks(hooks: PeopleHooks): PeopleCollection
  options(options: ResourceOptions): PeopleCollection
  list(list: ListOf<PeopleTypes>): PeopleCollection
  form(layout: FormOf<PeopleTypes>): PeopleCollection
  preview(urlOf: PreviewOf<PeopleRecord, never>): PeopleCollection
}

export interface TeamsChange {
  name?: string
}

export interface TeamsData extends TeamsChange {
  name: string
}

export interface TeamsRow {
  readonly id: string
  readonly name: string
}

export interface TeamsResource {
  where: TeamsWhere
  input: UncheckedInput<TeamsData>
  data: TeamsData
  change: TeamsChange
  row: TeamsRow
  firstOriginal: never
  readable: TeamsRecord
  shown: SelectedRecord<TeamsRecord, {}>
}

export interface TeamsReferrers {
  people: "team"
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
  title(field: "name"): TeamsCollection
  searchable<With = never>(searchable: SearchableOf<TeamsTypes, TeamsRow, With, { field: "name"; title: "name"; facet: "name" }>): this
  indexes(indexes: readonly IndexDefinition<"name">[]): this
  access<Rules extends TeamsAccess, Checked = CheckedRules<Rules, "teams", TeamsWhere>>(rules: RulesArgument<Rules, Checked>): TeamsCollection
  hooks(hooks: TeamsHooks): TeamsCollection
  options(options: ResourceOptions): TeamsCollection
  list(list: ListOf<TeamsTypes>): TeamsCollection
  form(layout: FormOf<TeamsTypes>): TeamsCollection
  preview(urlOf: PreviewOf<TeamsRecord, never>): TeamsCollection
}

export interface SettingsChange<Declared extends DeclaredFields = DeclaredFields> {
  siteName?: string
  motto?: string | null
  theme?: Declared["theme"]["value"]
  owner?: string | NestedOne | null
}

export interface SettingsData<Declared extends DeclaredFields = DeclaredFields> extends SettingsChange<Declared> {
  siteName: string
  motto: string
  theme: Declared["theme"]["value"]
}

export interface SettingsReadable {
  readonly siteName: string
  readonly motto: string
  readonly theme: unknown
  readonly owner: string | null
  readonly stage: "plan" | "live"
  readonly changedSincePublished?: boolean | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface SettingsRow<Declared extends DeclaredFields = DeclaredFields> extends SettingsReadable {
  readonly theme: Declared["theme"]["value"]
}

export interface SettingsResource<Declared extends DeclaredFields = DeclaredFields> {
  where: SettingsWhere
  input: UncheckedInput<SettingsData>
  data: SettingsData<Declared>
  change: SettingsChange<Declared>
  row: SettingsRow<Declared>
  firstOriginal: null
  readable: SettingsReadable
  shown: SelectedRecord<Omit<SettingsRecord, "theme">, SettingsRelations> & { theme?: Declared["theme"]["value"] }
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

export interface SettingsBeforeChange<Declared extends DeclaredFields> {
  (context: CreatingContext<SettingsData<Declared>> | ChangingContext<SettingsChange<Declared>, SettingsRow<Declared> | null>): void
}

export interface SettingsAfterChange<Declared extends DeclaredFields> {
  (context: ChangedContext<SettingsRow<Declared>>): void
}

export interface SettingsHooks<Declared extends DeclaredFields> extends OtherHooks<SettingsResource<Declared>> {
  beforeChange?: SettingsBeforeChange<Declared> | ArrayLike<SettingsBeforeChange<Declared>>
  afterChange?: SettingsAfterChange<Declared> | ArrayLike<SettingsAfterChange<Declared>>
}

export interface SettingsGlobal<Declared extends DeclaredFields = DeclaredFields> extends ResourceSteps {
  readonly declared: Declared
  fields<Given extends DeclaredFieldsOf<SettingsWhere>>(declare: (tools: { f: FieldSet<SettingsReadable, SettingsReferrers> }) => Given): SettingsGlobal<Given>
  access<Rules extends SettingsAccess, Checked = CheckedRules<Rules, "settings", SettingsWhere>>(rules: RulesArgument<Rules, Checked>): this
  hooks(hooks: SettingsHooks<Declared>): this
  options(options: ResourceOptions): this
  form(layout: FormOf<SettingsTypes>): this
  preview(urlOf: PreviewOf<SettingsReadable, "plan" | "live">): this
}

export interface AppResources {
  articles: ArticlesResource
  people: PeopleResource
  teams: TeamsResource
  settings: SettingsResource
}

export interface AppCollectionBuilders {
  articles: ArticlesCollection
  people: PeopleCollection
  teams: TeamsCollection
}

export interface AppGlobalBuilders {
  settings: SettingsGlobal
}
