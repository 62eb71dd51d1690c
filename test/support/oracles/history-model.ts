/** The records of the oracle of histories, as plain values. */
export interface Content {
  readonly title: LocaleMap
  readonly slug: LocaleMap
  readonly words: LocaleMap
  readonly price: string | null
  readonly tags: readonly string[]
}

type LocaleMap = Readonly<Record<string, unknown>> | null

export interface Version extends Content {
  readonly number: number
  readonly operation: string
  /** The stage of the record, or of the copy. */
  readonly stage: string
  readonly versionStage: string | null
  readonly revision: number
}

export interface Book {
  readonly id: string
  content: Content
  stage: string
  revision: number
  isDeleted: boolean
  copies: Map<string, Content & { readonly revision: number }>
  versions: Version[]
  /** The pending transition, and the minute in which it runs. */
  waiting?: { readonly stage: string; readonly at: number } | undefined
}

export const LOCALES = ["en", "sk", "cs"] as const
export const MAX_VERSIONS = 4
export const STAGES = {
  draft: { to: ["draft", "review", "published"] },
  review: { to: ["draft", "published"] },
  published: { to: ["draft", "review", "published"], withdraws: ["review"] },
}
const WITHDRAWN: Readonly<Record<string, readonly string[]>> = {
  ...{ draft: ["review", "published"], review: [], published: STAGES.published.withdraws },
}
const EMPTY: Content = { title: null, slug: null, words: null, price: null, tags: [] }

/** The model of records with locales, stages and versions. */
export class HistoryModel {
  readonly books = new Map<string, Book>()

  /** Without the default locale, which a required field fills too. */
  create(id: string, data: Readonly<Record<string, unknown>>, locale: string): Book {
    const content = changed(EMPTY, data, locale)
    const title = { en: data["title"], ...content.title }
    return {
      ...{ id, content: { ...content, title }, stage: "draft", revision: 1 },
      ...{ isDeleted: false, copies: new Map(), versions: [] },
    }
  }

  write(book: Book, content: Content, operation: string): void {
    book.content = content
    this.count(book, operation)
  }

  writeCopy(book: Book, stage: string, content: Content): void {
    book.revision++
    book.copies.set(stage, { ...content, revision: book.revision })
    this.note(book, "update", stage)
  }

  /** Counts a write that changes no content. */
  count(book: Book, operation: string): void {
    book.revision++
    this.note(book, operation)
  }

  move(book: Book, stage: string): void {
    book.stage = stage
    for (const each of WITHDRAWN[stage] ?? []) book.copies.delete(each)
    this.count(book, "transition")
    if (stage !== "draft") book.copies.set(stage, { ...book.content, revision: book.revision })
  }

  note(book: Book, operation: string, versionStage: string | null = null): void {
    const content = versionStage === null ? book.content : (book.copies.get(versionStage) ?? book.content)
    const number = (book.versions.at(-1)?.number ?? 0) + 1
    const stage = versionStage ?? book.stage
    book.versions.push({ ...content, number, operation, stage, versionStage, revision: book.revision })
  }

  /** A caller who may update the record changes its links: this adds a version, but is not a write of the record. */
  linkFromOtherEnd(book: Book, tags: readonly string[]): void {
    book.content = { ...book.content, tags }
    this.note(book, "update")
  }

  /** A caller who may not update the record changes its links: the newest version of the working record gets them. */
  refreshLinks(book: Book, tags: readonly string[]): void {
    book.content = { ...book.content, tags }
    const newest = book.versions.findLastIndex(({ versionStage }) => versionStage === null)
    book.versions = book.versions.map((version, index) => (index === newest ? { ...version, tags } : version))
  }

  /** True if another active record has one of the slugs, in the stage. */
  isTaken(slug: LocaleMap, id: string, stage: string): boolean {
    return [...this.books.values()].some((other) => {
      if (other.id === id || other.isDeleted) return false
      const theirs = stage === "draft" ? other.content.slug : other.copies.get(stage)?.slug
      return Object.entries(slug ?? {}).some(([locale, value]) => theirs?.[locale] === value)
    })
  }

  canMove(book: Book, stage: string): boolean {
    return STAGES[book.stage as keyof typeof STAGES].to.includes(stage)
  }

  clashes(book: Book, stage: string): boolean {
    return stage !== "draft" && this.isTaken(book.content.slug, book.id, stage)
  }
}

/** Returns the newest versions, and those that each stage shows. */
export function keptVersions({ versions }: Book): readonly Version[] {
  const newest = versions.at(-1)?.number ?? 0
  return versions.filter((each) => each.number > newest - MAX_VERSIONS || isNewestOfStage(each, versions))
}

function isNewestOfStage(version: Version, versions: readonly Version[]): boolean {
  const isShown = ({ operation, versionStage }: Version) => versionStage !== null || operation === "transition"
  const isNewer = (other: Version) => isShown(other) && other.stage === version.stage && other.number > version.number
  return isShown(version) && !versions.some(isNewer)
}

/** Returns the content after a write in a locale. */
export function changed(content: Content, data: Readonly<Record<string, unknown>>, locale: string): Content {
  const { price = content.price, tags = content.tags, ...localized } = data as Partial<Content>
  const maps = Object.entries(localized).map(([name, value]) => {
    return [name, withValue(content[name as "title"], locale, value)] as const
  })
  return { ...content, ...Object.fromEntries(maps), price, tags }
}

function withValue(map: LocaleMap, locale: string, value: unknown): LocaleMap {
  const { [locale]: _before, ...others } = map ?? {}
  const next = value === null ? others : { ...others, [locale]: value }
  return Object.keys(next).length === 0 ? null : next
}
