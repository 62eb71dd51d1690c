/** The records of the oracle of stages, and what each reader should see of them, as plain values. */
export interface Alpha {
  readonly id: string
  title: Readonly<Record<string, string>>
  size: number
  code: string | null
  main: string | null
  isDeleted: boolean
  stage: string
  copy: (AlphaContent & { links: Set<string> }) | undefined
}

type AlphaContent = Pick<Alpha, "title" | "size" | "code" | "main">

export interface Beta {
  readonly id: string
  name: string
  stage: string
  copy: { name: string; links: Set<string> } | undefined
}

export interface SeenAlpha extends AlphaContent {
  readonly id: string
  readonly stage: string
  readonly betas: readonly string[]
  /** Undefined in a stage copy. */
  readonly changed: boolean | null | undefined
}

export interface SeenBeta {
  readonly id: string
  readonly name: string
  readonly alphas: readonly string[]
  readonly mains: readonly string[]
  readonly changed: boolean | null | undefined
}

export interface Seen {
  readonly alphas: readonly SeenAlpha[]
  readonly betas: readonly SeenBeta[]
}

/** The stage in which each collection is read. */
export interface Reader {
  readonly alphas: "draft" | "published"
  readonly betas: "draft" | "published"
}

export class StagesModel {
  readonly alphas = new Map<string, Alpha>()
  readonly betas = new Map<string, Beta>()
  /** `alpha beta` */
  readonly links = new Set<string>()

  /** True if another active record, or the copy of another one, has the code. */
  isTaken(code: string | null, id: string, stage: "draft" | "published"): boolean {
    if (code === null) return false
    return [...this.alphas.values()].some((other) => {
      const shown = stage === "draft" ? other : other.copy
      return other.id !== id && !other.isDeleted && shown?.code === code
    })
  }

  publishAlpha(alpha: Alpha): void {
    const { title, size, code, main, id } = alpha
    alpha.copy = { title, size, code, main, links: new Set(this.#linked(0, id)) }
    alpha.stage = "published"
  }

  publishBeta(beta: Beta): void {
    beta.copy = { name: beta.name, links: new Set(this.#linked(1, beta.id)) }
    beta.stage = "published"
  }

  removeBeta(id: string): void {
    this.betas.delete(id)
    for (const alpha of this.alphas.values()) {
      if (alpha.main === id) alpha.main = null
      if (alpha.copy?.main === id) alpha.copy.main = null
      alpha.copy?.links.delete(id)
    }
    for (const link of [...this.links]) if (link.endsWith(` ${id}`)) this.links.delete(link)
  }

  removeAlpha(id: string): void {
    this.alphas.delete(id)
    for (const beta of this.betas.values()) beta.copy?.links.delete(id)
    for (const link of [...this.links]) if (link.startsWith(`${id} `)) this.links.delete(link)
  }

  seenBy(reader: Reader): Seen {
    const alphas = [...this.alphas.values()].filter((alpha) => !alpha.isDeleted && this.#shown(reader.alphas, alpha))
    const betas = [...this.betas.values()].filter((beta) => this.#shown(reader.betas, beta))
    const betaIds = new Set(betas.map(({ id }) => id))
    const seenAlphas = alphas.map((alpha): SeenAlpha => {
      const { title, size, code, main } = this.#content(reader.alphas, alpha)
      const linked = betas.filter((beta) => this.#isLinked(reader, alpha, beta)).map(({ id }) => id)
      const shownMain = main !== null && betaIds.has(main) ? main : null
      const stage = reader.alphas === "draft" ? alpha.stage : "published"
      const changed = reader.alphas === "draft" ? this.#hasAlphaChanged(alpha) : undefined
      return { id: alpha.id, title, size, code, main: shownMain, stage, betas: linked.sort(), changed }
    })
    const seenBetas = betas.map((beta): SeenBeta => {
      const own = seenAlphas.filter(({ main }) => main === beta.id).map(({ id }) => id)
      const linked = this.#linkedAlphas(reader, alphas, beta)
      const name = reader.betas === "draft" ? beta.name : (beta.copy?.name ?? "")
      const changed = reader.betas === "draft" ? this.#hasBetaChanged(beta) : undefined
      return { id: beta.id, name, alphas: linked.sort(), mains: own.sort(), changed }
    })
    return { alphas: seenAlphas, betas: seenBetas }
  }

  #hasAlphaChanged({ id, copy, ...alpha }: Alpha): boolean | null {
    if (copy === undefined) return null
    const content = ({ title, size, code, main }: AlphaContent) =>
      JSON.stringify([Object.entries(title).sort(), size, code, main])
    return content(alpha) !== content(copy) || !isSame(copy.links, this.#linked(0, id))
  }

  #hasBetaChanged({ id, name, copy }: Beta): boolean | null {
    return copy === undefined ? null : copy.name !== name || !isSame(copy.links, this.#linked(1, id))
  }

  #shown(stage: Reader["alphas"], { copy }: Alpha | Beta): boolean {
    return stage === "draft" || copy !== undefined
  }

  #content(stage: Reader["alphas"], alpha: Alpha): AlphaContent {
    return stage === "draft" ? alpha : (alpha.copy ?? alpha)
  }

  // A copy has its own links; between two copies, the links of the requested record count.
  #isLinked(reader: Reader, alpha: Alpha, beta: Beta): boolean {
    if (reader.alphas === "published") return alpha.copy?.links.has(beta.id) ?? false
    if (reader.betas === "published") return beta.copy?.links.has(alpha.id) ?? false
    return this.links.has(`${alpha.id} ${beta.id}`)
  }

  #linkedAlphas(reader: Reader, alphas: readonly Alpha[], beta: Beta): string[] {
    const isLinked = (alpha: Alpha) =>
      reader.betas === "published" ? beta.copy?.links.has(alpha.id) : this.#isLinked(reader, alpha, beta)
    return alphas.filter(isLinked).map(({ id }) => id)
  }

  #linked(end: 0 | 1, id: string): string[] {
    return [...this.links].flatMap((link) => {
      const ends = link.split(" ")
      return ends[end] === id ? [ends[1 - end] ?? ""] : []
    })
  }
}

function isSame(links: ReadonlySet<string>, others: readonly string[]): boolean {
  return links.size === others.length && others.every((each) => links.has(each))
}
