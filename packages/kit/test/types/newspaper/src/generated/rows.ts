// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  NestedMany,
  NestedOne,
  Sent,
  Shown,
} from "kit"

import type {
  RichText,
} from "kit/client"

import type {
  ArticlesRecord,
  ArticlesRelations,
  ArticlesWhere,
  PeopleRecord,
  PeopleRelations,
  PeopleWhere,
  TeamsRecord,
  TeamsWhere,
  SettingsRecord,
  SettingsRelations,
  SettingsWhere,
} from "./index.js"

export interface ArticlesChange {
  title?: string
  body?: string | null
  status?: "idea" | "writing" | "done"
  featured?: boolean | null
  words?: number | null
  views?: bigint | null
  price?: string | null
  publishedAt?: Date | null
  contact?: string | null
  link?: string | null
  day?: string | null
  opens?: string | null
  topics?: ("sport" | "culture")[]
  keywords?: string[] | null
  moments?: Date[] | null
  place?: { city: string; since: Date | null; size: bigint | null } | null
  links?: { url: string; label: string | null }[] | null
  story?: RichText | null
  author?: string | NestedOne
  editor?: string | NestedOne | null
  teams?: NestedMany
  notes?: string | null
  secret?: string | null
}

export interface ArticlesData extends ArticlesChange {
  title: string
  status: "idea" | "writing" | "done"
  topics: ("sport" | "culture")[]
  author: string | NestedOne
}

export interface ArticlesRow {
  readonly id: string
  readonly title: string
  readonly body: string | null
  readonly status: "idea" | "writing" | "done"
  readonly featured: boolean | null
  readonly words: number | null
  readonly views: bigint | null
  readonly price: string | null
  readonly publishedAt: Date | null
  readonly contact: string | null
  readonly link: string | null
  readonly day: string | null
  readonly opens: string | null
  readonly topics: ("sport" | "culture")[]
  readonly keywords: string[] | null
  readonly moments: Date[] | null
  readonly place: { city: string; since: Date | null; size: bigint | null } | null
  readonly links: { url: string; label: string | null }[] | null
  readonly story: RichText | null
  readonly letters: number
  readonly author: string
  readonly editor: string | null
  readonly notes: string | null
  readonly secret: string | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export interface ArticlesReadable {
  readonly id: string
  readonly title: string
  readonly body: string | null
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
  readonly story: RichText | null
  readonly letters: number
  readonly author: string
  readonly editor: string | null
  readonly notes?: string | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export interface ArticlesResource {
  where: ArticlesWhere
  input: Sent<ArticlesData & { meta: null }>
  data: ArticlesData
  change: ArticlesChange
  row: ArticlesRow
  firstOriginal: never
  readable: ArticlesReadable
  shown: Shown<Omit<ArticlesRecord, "meta" | "shout">, ArticlesRelations>
  declaredRow: { meta: null; shout: never }
  declaredData: { meta?: null }
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
  input: Sent<PeopleData>
  data: PeopleData
  change: PeopleChange
  row: PeopleRow
  firstOriginal: never
  readable: PeopleRecord
  shown: Shown<PeopleRecord, PeopleRelations>
  declaredRow: never
  declaredData: {}
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
  input: Sent<TeamsData>
  data: TeamsData
  change: TeamsChange
  row: TeamsRow
  firstOriginal: never
  readable: TeamsRecord
  shown: Shown<TeamsRecord, {}>
  declaredRow: never
  declaredData: {}
}

export interface SettingsChange {
  siteName?: string
  owner?: string | NestedOne | null
}

export interface SettingsData extends SettingsChange {
  siteName: string
}

export interface SettingsRow {
  readonly siteName: string
  readonly owner: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface SettingsReadable {
  readonly siteName: string
  readonly theme: unknown
  readonly owner: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface SettingsResource {
  where: SettingsWhere
  input: Sent<SettingsData & { theme: never }>
  data: SettingsData
  change: SettingsChange
  row: SettingsRow
  firstOriginal: null
  readable: SettingsReadable
  shown: Shown<Omit<SettingsRecord, "theme">, SettingsRelations>
  declaredRow: { theme: never }
  declaredData: { theme: never }
}

export interface AppResources {
  articles: ArticlesResource
  people: PeopleResource
  teams: TeamsResource
  settings: SettingsResource
}
