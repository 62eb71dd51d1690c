import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { Predicate } from "../../filter/predicate.ts"
import { whereSql } from "../../filter/where.ts"
import { tablesOfRead } from "../../read/tables-read.ts"
import { column, Parameters, quote } from "../../text/fragment.ts"
import { PLAIN_CONFIGURATION } from "../configurations.ts"
import { beginningText, spellingText } from "../query/tsquery.ts"
import type { SearchedText } from "../searched-text.ts"
import { visibleVector } from "../text-match.ts"
import type { Neighbours } from "./neighbours.ts"

/** The text of some rows of a resource, as the caller sees it. */
interface ReadableText {
  readonly resource: Resource
  readonly readable: Predicate
  readonly text: SearchedText
}

/**
 * Selects the places of those words, and then of those beginnings of words, that occur in a row that the caller may read.
 * Words of other rows must not change anything, not even a score.
 */
export function selectPresentWords({ resource, readable, text }: ReadableText, neighbours: Neighbours): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const texts = parameters.add(candidatesOf(neighbours).map(({ text: candidate }) => candidate))
  const word = `to_tsquery('${PLAIN_CONFIGURATION}', _candidate.words)`
  const stored = `${column(alias, text.index.vector)} @@ ${word}`
  const seen = text.isIndexed ? "" : ` and ${visibleVector(text, alias, parameters)} @@ ${word}`
  const where = `${stored} and ${whereSql(readable, alias, parameters)}${seen}`
  return {
    text:
      `select _candidate.place::int from unnest(${texts}::text[]) with ordinality _candidate(words, place) ` +
      `where exists (select 1 from ${quote(resource.table)} ${alias} where ${where})`,
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection: { resource, fields: [], relations: [] }, predicate: readable }),
  }
}

/** Returns the neighbours that `selectPresentWords` has found. */
export function presentNeighbours(neighbours: Neighbours, rows: readonly (readonly unknown[])[]): Neighbours {
  const places = new Set(rows.map(([place]) => Number(place) - 1))
  const present = candidatesOf(neighbours).filter((_, place) => places.has(place))
  const words = new Set(present.flatMap(({ word }) => word ?? []))
  const beginnings = new Set(present.flatMap(({ beginning }) => beginning ?? []))
  return {
    words: new Map([...neighbours.words].map(([typed, similar]) => [typed, similar.filter((each) => words.has(each))])),
    beginnings: neighbours.beginnings.filter((each) => beginnings.has(each)),
  }
}

interface Candidate {
  readonly text: string
  readonly word?: string
  readonly beginning?: string
}

function candidatesOf({ words, beginnings }: Neighbours): readonly Candidate[] {
  const similar = [...new Set([...words.values()].flat())]
  return [
    ...similar.map((word) => ({ text: spellingText(word), word })),
    ...beginnings.map((beginning) => ({ text: beginningText(beginning), beginning })),
  ]
}
