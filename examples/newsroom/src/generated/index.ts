// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  ChoiceFilter,
  Direction,
  IdFilter,
  JsonFilter,
  JsonValue,
  ManyFilter,
  ManyInput,
  ManyOptions,
  OrderedFilter,
  RelatedOptions,
  RelationFilter,
  RelationInput,
  RouteCall,
  RoutePlace,
  RouteQuery,
  TextFilter,
  TypedCollection,
  TypedGlobal,
} from "kit/client"

export interface ArticlesRecord {
  id: string
  title: string
  slug: string
  body: string | null
  status: "idea" | "writing" | "done"
  team: string
  author: string
  cover: string | null
  publishedAt: Date | null
  words: number | null
  notes?: string | null
  layout: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
  createdAt: Date
  updatedAt: Date
}

export interface ArticlesCreate {
  title: string
  slug: string
  body?: string | null
  status?: "idea" | "writing" | "done"
  team: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
  author: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
  tags?: ManyInput<TagsCreate, TagsUpdate, Pick<TagsRecord, "id" | "name">>
  comments?: ManyInput<Omit<CommentsCreate, "article">, CommentsUpdate, Pick<CommentsRecord, "id">>
  cover?: RelationInput<never, Pick<MediaRecord, "id">> | null
  publishedAt?: Date | string | null
  words?: number | null
  notes?: string | null
  layout?: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
}

export interface ArticlesUpdate {
  title?: string
  slug?: string
  body?: string | null
  status?: "idea" | "writing" | "done"
  team?: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
  author?: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
  tags?: ManyInput<TagsCreate, TagsUpdate, Pick<TagsRecord, "id" | "name">>
  comments?: ManyInput<Omit<CommentsCreate, "article">, CommentsUpdate, Pick<CommentsRecord, "id">>
  cover?: RelationInput<never, Pick<MediaRecord, "id">> | null
  publishedAt?: Date | string | null
  words?: number | null
  notes?: string | null
  layout?: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
}

export interface ArticlesWhere {
  id?: IdFilter
  title?: TextFilter
  slug?: TextFilter
  body?: TextFilter
  status?: ChoiceFilter<"idea" | "writing" | "done">
  team?: RelationFilter<TeamsWhere>
  author?: RelationFilter<UsersWhere>
  tags?: ManyFilter<TagsWhere>
  comments?: ManyFilter<CommentsWhere>
  cover?: RelationFilter<MediaWhere>
  publishedAt?: OrderedFilter<Date | string>
  words?: OrderedFilter<number>
  notes?: TextFilter
  layout?: JsonFilter
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
  body?: Direction
  status?: Direction
  team?: Direction | TeamsOrderBy
  author?: Direction | UsersOrderBy
  cover?: Direction | MediaOrderBy
  publishedAt?: Direction
  words?: Direction
  notes?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export interface ArticlesColumns {
  id?: boolean
  title?: boolean
  slug?: boolean
  body?: boolean
  status?: boolean
  team?: boolean
  author?: boolean
  cover?: boolean
  publishedAt?: boolean
  words?: boolean
  notes?: boolean
  layout?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface ArticlesWith {
  team?: boolean | RelatedOptions<TeamsTypes>
  author?: boolean | RelatedOptions<UsersTypes>
  tags?: boolean | ManyOptions<TagsTypes>
  comments?: boolean | ManyOptions<CommentsTypes>
  cover?: boolean | RelatedOptions<MediaTypes>
}

export interface ArticlesRelations {
  team: TeamsTypes
  author: UsersTypes
  tags: TagsTypes[]
  comments: CommentsTypes[]
  cover: MediaTypes
}

export interface ArticlesTypes {
  record: ArticlesRecord
  create: ArticlesCreate
  update: ArticlesUpdate
  where: ArticlesWhere
  orderBy: ArticlesOrderBy
  columns: ArticlesColumns
  with: ArticlesWith
  relations: ArticlesRelations
  expectedRevision: never
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

export interface CommentsCreate {
  article: RelationInput<ArticlesCreate, Pick<ArticlesRecord, "id" | "slug">>
  author: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
  text: string
}

export interface CommentsUpdate {
  article?: RelationInput<ArticlesCreate, Pick<ArticlesRecord, "id" | "slug">>
  author?: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
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

export interface CommentsColumns {
  id?: boolean
  article?: boolean
  author?: boolean
  text?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface CommentsWith {
  article?: boolean | RelatedOptions<ArticlesTypes>
  author?: boolean | RelatedOptions<UsersTypes>
}

export interface CommentsRelations {
  article: ArticlesTypes
  author: UsersTypes
}

export interface CommentsTypes {
  record: CommentsRecord
  create: CommentsCreate
  update: CommentsUpdate
  where: CommentsWhere
  orderBy: CommentsOrderBy
  columns: CommentsColumns
  with: CommentsWith
  relations: CommentsRelations
  expectedRevision: never
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

export interface InvitesCreate {
  team: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
  email: string
  acceptedAt?: Date | string | null
}

export interface InvitesUpdate {
  team?: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
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

export interface InvitesColumns {
  id?: boolean
  team?: boolean
  email?: boolean
  code?: boolean
  acceptedAt?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface InvitesWith {
  team?: boolean | RelatedOptions<TeamsTypes>
}

export interface InvitesRelations {
  team: TeamsTypes
}

export interface InvitesTypes {
  record: InvitesRecord
  create: InvitesCreate
  update: InvitesUpdate
  where: InvitesWhere
  orderBy: InvitesOrderBy
  columns: InvitesColumns
  with: InvitesWith
  relations: InvitesRelations
  expectedRevision: never
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

export interface MediaCreate {
  alt?: string | null
  visibility?: "public" | "private"
}

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

export interface MediaColumns {
  id?: boolean
  alt?: boolean
  key?: boolean
  filename?: boolean
  mimeType?: boolean
  size?: boolean
  checksum?: boolean
  width?: boolean
  height?: boolean
  visibility?: boolean
  url?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export type MediaWith = Record<string, never>

export type MediaRelations = Record<string, never>

export interface MediaTypes {
  record: MediaRecord
  create: never
  update: MediaUpdate
  where: MediaWhere
  orderBy: MediaOrderBy
  columns: MediaColumns
  with: MediaWith
  relations: MediaRelations
  upload: MediaCreate
  expectedRevision: never
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

export interface MembershipsCreate {
  team: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
  user: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
  role?: "editor" | "writer"
}

export interface MembershipsUpdate {
  team?: RelationInput<TeamsCreate, Pick<TeamsRecord, "id" | "slug">>
  user?: RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>
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

export interface MembershipsColumns {
  id?: boolean
  team?: boolean
  user?: boolean
  role?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface MembershipsWith {
  team?: boolean | RelatedOptions<TeamsTypes>
  user?: boolean | RelatedOptions<UsersTypes>
}

export interface MembershipsRelations {
  team: TeamsTypes
  user: UsersTypes
}

export interface MembershipsTypes {
  record: MembershipsRecord
  create: MembershipsCreate
  update: MembershipsUpdate
  where: MembershipsWhere
  orderBy: MembershipsOrderBy
  columns: MembershipsColumns
  with: MembershipsWith
  relations: MembershipsRelations
  expectedRevision: never
  includeDeleted: never
}

export interface TagsRecord {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface TagsCreate {
  name: string
  articles?: ManyInput<ArticlesCreate, ArticlesUpdate, Pick<ArticlesRecord, "id" | "slug">>
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

export interface TagsColumns {
  id?: boolean
  name?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface TagsWith {
  articles?: boolean | ManyOptions<ArticlesTypes>
}

export interface TagsRelations {
  articles: ArticlesTypes[]
}

export interface TagsTypes {
  record: TagsRecord
  create: TagsCreate
  update: TagsUpdate
  where: TagsWhere
  orderBy: TagsOrderBy
  columns: TagsColumns
  with: TagsWith
  relations: TagsRelations
  expectedRevision: never
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

export interface TeamsCreate {
  name: string
  slug: string
  about?: string | null
  memberships?: ManyInput<Omit<MembershipsCreate, "team">, MembershipsUpdate, Pick<MembershipsRecord, "id">>
}

export interface TeamsUpdate {
  name?: string
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

export interface TeamsColumns {
  id?: boolean
  name?: boolean
  slug?: boolean
  about?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface TeamsWith {
  memberships?: boolean | ManyOptions<MembershipsTypes>
}

export interface TeamsRelations {
  memberships: MembershipsTypes[]
}

export interface TeamsTypes {
  record: TeamsRecord
  create: TeamsCreate
  update: TeamsUpdate
  where: TeamsWhere
  orderBy: TeamsOrderBy
  columns: TeamsColumns
  with: TeamsWith
  relations: TeamsRelations
  expectedRevision: never
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

export interface UsersCreate {
  name: string
  email: string
  emailVerified?: boolean
  image?: string | null
  role?: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | string | null
  bio?: string | null
  memberships?: ManyInput<Omit<MembershipsCreate, "user">, MembershipsUpdate, Pick<MembershipsRecord, "id">>
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

export interface UsersColumns {
  id?: boolean
  name?: boolean
  email?: boolean
  emailVerified?: boolean
  image?: boolean
  role?: boolean
  banned?: boolean
  banReason?: boolean
  banExpires?: boolean
  bio?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

export interface UsersWith {
  memberships?: boolean | ManyOptions<MembershipsTypes>
}

export interface UsersRelations {
  memberships: MembershipsTypes[]
}

export interface UsersTypes {
  record: UsersRecord
  create: UsersCreate
  update: UsersUpdate
  where: UsersWhere
  orderBy: UsersOrderBy
  columns: UsersColumns
  with: UsersWith
  relations: UsersRelations
  expectedRevision: never
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
  frontPageArticle?: RelationInput<ArticlesCreate, Pick<ArticlesRecord, "id" | "slug">> | null
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

export interface SettingsColumns {
  siteName?: boolean
  tagline?: boolean
  frontPageArticle?: boolean
  createdAt?: boolean
  updatedAt?: boolean
}

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
  expectedRevision: never
}

export interface AppCollections {
  articles: TypedCollection<ArticlesTypes>
  comments: TypedCollection<CommentsTypes>
  invites: TypedCollection<InvitesTypes>
  media: TypedCollection<MediaTypes>
  memberships: TypedCollection<MembershipsTypes>
  tags: TypedCollection<TagsTypes>
  teams: TypedCollection<TeamsTypes>
  users: TypedCollection<UsersTypes>
}

export interface AppGlobals {
  settings: TypedGlobal<SettingsTypes>
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
  collections: {
    articles: ArticlesTypes
    comments: CommentsTypes
    invites: InvitesTypes
    media: MediaTypes
    memberships: MembershipsTypes
    tags: TagsTypes
    teams: TeamsTypes
    users: UsersTypes
  }
  globals: {
    settings: SettingsTypes
  }
  routes: {
    articles: RoutePlace & {
      publish: RouteCall<typeof import("../routes/articles/publish.js").default> & RoutePlace & {
        post: RouteCall<typeof import("../routes/articles/publish.js").default>
      }
    }
    stats: RoutePlace & {
      get: RouteQuery<typeof import("../routes/stats.js").default>
    }
    teams: RoutePlace & {
      invite: RouteCall<typeof import("../routes/teams/invite.js").default> & RoutePlace & {
        post: RouteCall<typeof import("../routes/teams/invite.js").default>
      }
      join: RouteCall<typeof import("../routes/teams/join.js").default> & RoutePlace & {
        post: RouteCall<typeof import("../routes/teams/join.js").default>
      }
    }
  }
}
