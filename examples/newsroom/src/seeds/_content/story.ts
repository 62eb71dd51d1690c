import type { Palette } from "../_paint-cover.ts"

interface Text {
  readonly title: string
  readonly summary: string
  readonly paragraphs: readonly string[]
}

/** An article of the seed. Without `sk`, it is shown in English to everyone. */
export interface Story {
  readonly slug: string
  readonly kind: "news" | "report" | "opinion"
  /** The first part of the author's mail address. */
  readonly author: string
  readonly tags: readonly string[]
  readonly stage: "draft" | "review" | "published"
  /** When it was published, in hours before the seed runs. */
  readonly hoursAgo?: number
  /** When it will be published, in days after the seed runs. */
  readonly publishInDays?: number
  /** True for the article at the top of the front page. */
  readonly isLead?: boolean
  /** The addresses of the articles to read next, in order. */
  readonly related?: readonly string[]
  /** A summary that was written after the article was published, and is not published yet. */
  readonly newSummary?: string
  readonly cover?: { readonly palette: Palette; readonly alt: string }
  readonly en: Text
  readonly sk?: Text
}
