/** The codings in which bodies are sent. */
export type Coding = "br" | "gzip"

// Clients send about 30 characters. A longer header is ignored, and not cut off, because the end may refuse a coding.
const MAX_CHARACTERS = 200

// A weight has at most three decimal places.
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** The codings that the Accept-Encoding header of a request accepts; none without the header. */
export class AcceptedCodings {
  readonly #weights: ReadonlyMap<string, number>

  constructor(header: string | null) {
    const isRead = header !== null && header.length <= MAX_CHARACTERS
    this.#weights = new Map(isRead ? header.split(",").map(readCoding) : [])
  }

  /** True if the header allows the coding: by its name, or by `*`, with a weight above 0. */
  accepts(coding: Coding): boolean {
    return this.#weightOf(coding) > 0
  }

  /** True if the header forbids to send a body as it is. */
  get refusesPlain(): boolean {
    return (this.#weights.get("identity") ?? this.#weights.get("*")) === 0
  }

  /** Returns the coding with the greatest weight; of equal ones, the first. Undefined if plain bodies are preferred. */
  preferred(offered: readonly Coding[]): Coding | undefined {
    let best: Coding | undefined
    let bestWeight = 0
    for (const coding of offered) {
      const weight = this.#weightOf(coding)
      if (weight <= bestWeight) continue
      best = coding
      bestWeight = weight
    }
    // A plain body that the header does not name is accepted, but preferred to nothing.
    return (this.#weights.get("identity") ?? 0) > bestWeight ? undefined : best
  }

  #weightOf(coding: Coding): number {
    return this.#weights.get(coding) ?? this.#weights.get(`x-${coding}`) ?? this.#weights.get("*") ?? 0
  }
}

function readCoding(part: string): readonly [string, number] {
  if (!part.includes(";")) return [part.trim().toLowerCase(), 1]
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  if (weight === undefined) return [name, 1]
  // A coding with an invalid weight is not used: the response is then sent as it is, which every caller can read.
  return [name, WEIGHT.test(weight) ? Number(weight) : 0]
}
