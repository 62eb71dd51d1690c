// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  NestedMany,
  NestedOne,
  Sent,
  Shown,
} from "kit"

import type {
  ArticlesRecord,
  ArticlesRelations,
  ArticlesWhere,
  CommentsRecord,
  CommentsRelations,
  CommentsWhere,
  InvitesRecord,
  InvitesRelations,
  InvitesWhere,
  MediaRecord,
  MediaWhere,
  MembershipsRecord,
  MembershipsRelations,
  MembershipsWhere,
  TagsRecord,
  TagsRelations,
  TagsWhere,
  TeamsRecord,
  TeamsRelations,
  TeamsWhere,
  UsersRecord,
  UsersRelations,
  UsersWhere,
  SettingsRecord,
  SettingsRelations,
  SettingsWhere,
} from "./index.js"

export interface ArticlesChange {
  title?: string
  slug?: string
  body?: string | null
  status?: "idea" | "writing" | "done"
  team?: string | NestedOne
  author?: string | NestedOne
  tags?: NestedMany
  comments?: NestedMany
  cover?: string | NestedOne | null
  publishedAt?: Date | null
  words?: number | null
  notes?: string | null
}

export interface ArticlesData extends ArticlesChange {
  title: string
  slug: string
  status: "idea" | "writing" | "done"
  team: string | NestedOne
  author: string | NestedOne
  words: number | null
}

export interface ArticlesRow {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly body: string | null
  readonly status: "idea" | "writing" | "done"
  readonly team: string
  readonly author: string
  readonly cover: string | null
  readonly publishedAt: Date | null
  readonly words: number | null
  readonly notes: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ArticlesReadable {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly body: string | null
  readonly status: "idea" | "writing" | "done"
  readonly team: string
  readonly author: string
  readonly cover: string | null
  readonly publishedAt: Date | null
  readonly words: number | null
  readonly notes?: string | null
  readonly layout: unknown
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ArticlesResource {
  where: ArticlesWhere
  input: Sent<ArticlesData & { layout: null }>
  data: ArticlesData
  change: ArticlesChange
  row: ArticlesRow
  firstOriginal: never
  readable: ArticlesReadable
  shown: Shown<Omit<ArticlesRecord, "layout">, ArticlesRelations>
  declaredRow: { layout: null }
  declaredData: { layout?: null }
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
  input: Sent<CommentsData>
  data: CommentsData
  change: CommentsChange
  row: CommentsRow
  firstOriginal: never
  readable: CommentsRecord
  shown: Shown<CommentsRecord, CommentsRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<InvitesData>
  data: InvitesData
  change: InvitesChange
  row: InvitesRow
  firstOriginal: never
  readable: InvitesRecord
  shown: Shown<InvitesRecord, InvitesRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<MediaData>
  data: MediaData
  change: MediaChange
  row: MediaRow
  firstOriginal: never
  readable: MediaRecord
  shown: Shown<MediaRecord, {}>
  declaredRow: never
  declaredData: {}
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
  input: Sent<MembershipsData>
  data: MembershipsData
  change: MembershipsChange
  row: MembershipsRow
  firstOriginal: never
  readable: MembershipsRecord
  shown: Shown<MembershipsRecord, MembershipsRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<TagsData>
  data: TagsData
  change: TagsChange
  row: TagsRow
  firstOriginal: never
  readable: TagsRecord
  shown: Shown<TagsRecord, TagsRelations>
  declaredRow: never
  declaredData: {}
}

export interface TeamsChange {
  name?: string
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
  input: Sent<TeamsData>
  data: TeamsData
  change: TeamsChange
  row: TeamsRow
  firstOriginal: never
  readable: TeamsRecord
  shown: Shown<TeamsRecord, TeamsRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<UsersData>
  data: UsersData
  change: UsersChange
  row: UsersRow
  firstOriginal: never
  readable: UsersRecord
  shown: Shown<UsersRecord, UsersRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<SettingsData>
  data: SettingsData
  change: SettingsChange
  row: SettingsRow
  firstOriginal: null
  readable: SettingsRecord
  shown: Shown<SettingsRecord, SettingsRelations>
  declaredRow: never
  declaredData: {}
}

export interface AppResources {
  articles: ArticlesResource
  comments: CommentsResource
  invites: InvitesResource
  media: MediaResource
  memberships: MembershipsResource
  tags: TagsResource
  teams: TeamsResource
  users: UsersResource
  settings: SettingsResource
}
