// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  JsonValue,
} from "kit/client"

import type {
  ColumnType,
} from "kit/db"

export interface ArticlesTable {
  id: string
  title: ColumnType<Readonly<Record<string, unknown>>, string, string>
  slug: string
  summary: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  body: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  kind: "news" | "report" | "opinion"
  team: string
  author: string
  cover: string | null
  publishedAt: ColumnType<Date | null, Date | string | null, Date | string | null>
  words: number | null
  notes: string | null
  layout: ColumnType<JsonValue<typeof import("../collections/articles.js").default, "layout"> | null, string | null, string | null>
  stage: "draft" | "review" | "published"
  revision: number
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface CommentsTable {
  id: string
  article: string
  author: string
  text: string
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface InvitesTable {
  id: string
  team: string
  email: string
  code: string
  acceptedAt: ColumnType<Date | null, Date | string | null, Date | string | null>
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface MediaTable {
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
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface MembershipsTable {
  id: string
  team: string
  user: string
  role: "editor" | "writer"
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface PagesTable {
  id: string
  title: ColumnType<Readonly<Record<string, unknown>>, string, string>
  slug: string
  body: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  stage: "draft" | "published"
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface TagsTable {
  id: string
  name: string
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface TeamsTable {
  id: string
  name: ColumnType<Readonly<Record<string, unknown>>, string, string>
  slug: string
  about: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface UsersTable {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  role: string
  banned: boolean
  banReason: string | null
  banExpires: ColumnType<Date | null, Date | string | null, Date | string | null>
  bio: string | null
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface SettingsTable {
  id: string
  siteName: string
  tagline: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  frontPageArticle: string | null
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface AppTables {
  articles: ArticlesTable
  comments: CommentsTable
  invites: InvitesTable
  media: MediaTable
  memberships: MembershipsTable
  pages: PagesTable
  tags: TagsTable
  teams: TeamsTable
  users: UsersTable
  global_settings: SettingsTable
  articles_related_articles_links: { source: string; target: string; position: number | null }
  tagging_links: { articles_id: string; tags_id: string }
  articles_related_articles_links_articles_stage_review: { source: string; target: string; position: number | null }
  tagging_links_articles_stage_review: { articles_id: string; tags_id: string }
  articles_related_articles_links_articles_stage_published: { source: string; target: string; position: number | null }
  tagging_links_articles_stage_published: { articles_id: string; tags_id: string }
}
