/** A short article of the weeks before the seed runs: a title and a few lines, in English only. */
export interface Brief {
  readonly kind: "news" | "report" | "opinion"
  /** The first part of the author's mail address. */
  readonly author: string
  readonly title: string
  readonly text: string
}

/** Returns the briefs of an author who wrote these titles and texts. */
export function briefsBy(
  author: string,
  kind: Brief["kind"],
  texts: Readonly<Record<string, string>>,
): readonly Brief[] {
  return Object.entries(texts).map(([title, text]) => ({ author, kind, title, text }))
}
