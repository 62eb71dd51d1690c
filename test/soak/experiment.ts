/** The command gives this to an experiment. */
export interface Setting<Size extends string = string> {
  /** An empty database. */
  readonly url: string
  /** An empty folder. */
  readonly folder: string
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
  readonly sizes: Readonly<Record<Size, number>>
  /** The parts that --only names, or all of them. */
  readonly parts: readonly string[]
}

/** Figures, and whether they break a promise. */
export interface Outcome {
  readonly figures: object
  readonly isBroken: boolean
}

export interface Experiment {
  /** Each is an option of the command; this is its default. */
  readonly sizes: Readonly<Record<string, number>>
  /** The values of --only. */
  readonly parts?: readonly string[]
  /** Nothing is killed, so that the database need not wait for its disk. */
  readonly isWithoutCrash?: boolean
  run(setting: Setting): Promise<Outcome>
}

interface Definition<Size extends string, Figures extends object> {
  readonly sizes: Readonly<Record<Size, number>>
  readonly parts?: readonly string[]
  readonly isWithoutCrash?: boolean
  run(setting: Setting<Size>): Promise<Figures>
  isBroken(figures: Figures, sizes: Readonly<Record<Size, number>>): boolean
}

/** Makes an experiment of its definition. The figures of its run decide whether a promise is broken. */
export function experiment<Size extends string, Figures extends object>(
  definition: Definition<Size, Figures>,
): Experiment {
  const { run, isBroken, ...rest } = definition
  return {
    ...rest,
    run: async (setting) => {
      const sizes = { ...definition.sizes, ...setting.sizes }
      const figures = await run({ ...setting, sizes })
      return { figures, isBroken: isBroken(figures, sizes) }
    },
  }
}
