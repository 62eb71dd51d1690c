import type { AdapterQuery, SearchAdapter, SearchDocument, SearchDocumentKey } from "kit"

/** A search engine in the memory of the process, which finds documents that have all words of a query. */
export function wordEngine(name = "words"): SearchAdapter & {
  readonly documents: Map<string, SearchDocument>
  readonly queries: AdapterQuery[]
} {
  const documents = new Map<string, SearchDocument>()
  const queries: AdapterQuery[] = []
  return {
    name,
    documents,
    queries,
    index(added) {
      for (const document of added) documents.set(keyOf(document), document)
      return Promise.resolve()
    },
    remove(removed) {
      for (const key of removed) documents.delete(keyOf(key))
      return Promise.resolve()
    },
    clear(collection) {
      for (const [key, document] of documents) if (document.collection === collection) documents.delete(key)
      return Promise.resolve()
    },
    search(query) {
      queries.push(query)
      const found = [...documents.values()].flatMap((document) => {
        const score = isAskedFor(document, query) ? scoreOf(document, query) : 0
        return score > 0 ? [{ id: document.id, score }] : []
      })
      return Promise.resolve(found.sort((left, right) => right.score - left.score).slice(0, query.limit))
    },
  }
}

function isAskedFor(document: SearchDocument, { collection, locale, stage }: AdapterQuery): boolean {
  return document.collection === collection && document.locale === locale && document.stage === stage
}

// The number of places with one of the words; 0 if a word is missing.
function scoreOf({ texts }: SearchDocument, { text, fields }: AdapterQuery): number {
  const words = wordsOf(fields.map((field) => texts[field] ?? "").join(" "))
  const counts = wordsOf(text).map((asked) => words.filter((word) => word === asked).length)
  return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0)
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function keyOf({ collection, id, locale, stage }: SearchDocumentKey): string {
  return JSON.stringify([collection, id, locale, stage])
}
