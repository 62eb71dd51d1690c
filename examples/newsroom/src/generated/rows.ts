// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  NestedMany,
  NestedOne,
  Sent,
  Shown,
} from "kit"

import type {
  JsonValue,
} from "kit/client"

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

export interface ArticlesData {
  title: string
  slug: string
  body?: string | null
  status: "idea" | "writing" | "done"
  team: string | NestedOne
  author: string | NestedOne
  tags?: NestedMany
  comments?: NestedMany
  publishedAt?: Date | null
  words: number | null
  notes?: string | null
  layout?: JsonValue<typeof import("../collections/articles.js").default, "layout"> | null
}

export interface ArticlesRow extends ArticlesRecord {
  notes: string | null
}

export interface ArticlesReadable {
  id: string
  title: string
  slug: string
  body: string | null
  status: "idea" | "writing" | "done"
  team: string
  author: string
  publishedAt: Date | null
  words: number | null
  notes?: string | null
  layout: unknown
  createdAt: Date
  updatedAt: Date
}

export interface ArticlesResource {
  where: ArticlesWhere
  input: Sent<ArticlesData>
  data: ArticlesData
  change: Partial<ArticlesData>
  row: ArticlesRow
  original: ArticlesRow
  readable: ArticlesReadable
  shown: Shown<ArticlesRecord, ArticlesRelations>
}

export interface CommentsData {
  article: string | NestedOne
  author: string | NestedOne
  text: string
}

export interface CommentsResource {
  where: CommentsWhere
  input: Sent<CommentsData>
  data: CommentsData
  change: Partial<CommentsData>
  row: CommentsRecord
  original: CommentsRecord
  readable: CommentsRecord
  shown: Shown<CommentsRecord, CommentsRelations>
}

export interface InvitesData {
  team: string | NestedOne
  email: string
  code: string
  acceptedAt?: Date | null
}

export interface InvitesResource {
  where: InvitesWhere
  input: Sent<InvitesData>
  data: InvitesData
  change: Partial<InvitesData>
  row: InvitesRecord
  original: InvitesRecord
  readable: InvitesRecord
  shown: Shown<InvitesRecord, InvitesRelations>
}

export interface MembershipsData {
  team: string | NestedOne
  user: string | NestedOne
  role: "editor" | "writer"
}

export interface MembershipsResource {
  where: MembershipsWhere
  input: Sent<MembershipsData>
  data: MembershipsData
  change: Partial<MembershipsData>
  row: MembershipsRecord
  original: MembershipsRecord
  readable: MembershipsRecord
  shown: Shown<MembershipsRecord, MembershipsRelations>
}

export interface TagsData {
  name: string
  articles?: NestedMany
}

export interface TagsResource {
  where: TagsWhere
  input: Sent<TagsData>
  data: TagsData
  change: Partial<TagsData>
  row: TagsRecord
  original: TagsRecord
  readable: TagsRecord
  shown: Shown<TagsRecord, TagsRelations>
}

export interface TeamsData {
  name: string
  slug: string
  about?: string | null
  memberships?: NestedMany
}

export interface TeamsResource {
  where: TeamsWhere
  input: Sent<TeamsData>
  data: TeamsData
  change: Partial<TeamsData>
  row: TeamsRecord
  original: TeamsRecord
  readable: TeamsRecord
  shown: Shown<TeamsRecord, TeamsRelations>
}

export interface UsersData {
  name: string
  email: string
  emailVerified: boolean
  image?: string | null
  role: string
  banned: boolean
  banReason?: string | null
  banExpires?: Date | null
  bio?: string | null
  memberships?: NestedMany
}

export interface UsersRow extends UsersRecord {
  email: string
  emailVerified: boolean
  banned: boolean
  banReason: string | null
  banExpires: Date | null
}

export interface UsersResource {
  where: UsersWhere
  input: Sent<UsersData>
  data: UsersData
  change: Partial<UsersData>
  row: UsersRow
  original: UsersRow
  readable: UsersRecord
  shown: Shown<UsersRecord, UsersRelations>
}

export interface SettingsData {
  siteName: string
  tagline?: string | null
  frontPageArticle?: string | NestedOne | null
}

export interface SettingsResource {
  where: SettingsWhere
  input: Sent<SettingsData>
  data: SettingsData
  change: Partial<SettingsData>
  row: SettingsRecord
  original: SettingsRecord | null
  readable: SettingsRecord
  shown: Shown<SettingsRecord, SettingsRelations>
}

export interface AppResources {
  articles: ArticlesResource
  comments: CommentsResource
  invites: InvitesResource
  memberships: MembershipsResource
  tags: TagsResource
  teams: TeamsResource
  users: UsersResource
  settings: SettingsResource
}
