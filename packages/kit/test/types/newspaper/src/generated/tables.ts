// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  JsonValue,
  RichText,
} from "kit/client"

import type {
  ColumnType,
} from "kit/db"

export interface ArticlesTable {
  id: string
  title: string
  body: string | null
  lead: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  heard: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  sources: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  status: "idea" | "writing" | "done"
  featured: boolean | null
  words: number | null
  views: ColumnType<bigint | null, bigint | number | string | null, bigint | number | string | null>
  price: ColumnType<string | null, string | number | null, string | number | null>
  publishedAt: ColumnType<Date | null, Date | string | null, Date | string | null>
  meta: ColumnType<JsonValue<typeof import("../collections/articles.js").default, "meta"> | null, string | null, string | null>
  contact: string | null
  link: string | null
  day: string | null
  opens: string | null
  topics: ("sport" | "culture")[]
  keywords: string[] | null
  moments: Date[] | null
  place: ColumnType<unknown, string | null, string | null>
  links: ColumnType<{ url: string; label: string | null }[] | null, string | null, string | null>
  page: ColumnType<unknown, string | null, string | null>
  cast: ColumnType<{ role: string | null; person: string }[] | null, string | null, string | null>
  teaser: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>
  story: ColumnType<RichText | null, string | null, string | null>
  author: string
  editor: string | null
  notes: string | null
  secret: string | null
  stage: "draft" | "published"
  revision: number
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
  deletedAt: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface PeopleTable {
  id: string
  name: string
  email: string
  bio: string | null
  team: string | null
  boss: string | null
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface TeamsTable {
  id: string
  name: string
}

export interface SettingsTable {
  id: string
  siteName: string
  motto: ColumnType<Readonly<Record<string, unknown>>, string, string>
  theme: ColumnType<JsonValue<typeof import("../globals/settings.js").default, "theme">, string, string>
  owner: string | null
  stage: "plan" | "live"
  createdAt: ColumnType<Date, Date | string, Date | string>
  updatedAt: ColumnType<Date, Date | string, Date | string>
}

export interface AppTables {
  articles: ArticlesTable
  people: PeopleTable
  teams: TeamsTable
  global_settings: SettingsTable
  articles_teams_teams_links: { articles_id: string; teams_id: string; position: number | null }
  articles_teams_teams_links_articles_stage_published: { articles_id: string; teams_id: string; position: number | null }
}
