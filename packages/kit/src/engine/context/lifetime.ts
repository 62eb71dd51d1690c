/** The lifetime of a request, a call in this process, a transaction or the app. Resources made for it end with it. */
export class Lifetime {
  #endings: (() => unknown)[] | undefined
  #hasEnded = false

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Registers `work` to run at the end, in reverse order of registration. It must not throw. */
  onEnd(work: () => unknown): void {
    this.#endings ??= []
    this.#endings.push(work)
  }

  /** Runs the registered work, and resolves when it is done. Returns undefined if there is none. */
  end(): Promise<void> | undefined {
    this.#hasEnded = true
    return this.#endings && runFromLast(this.#endings)
  }
}

async function runFromLast(endings: (() => unknown)[]): Promise<void> {
  for (let work = endings.pop(); work; work = endings.pop()) await work()
}

/** Runs `work` in the lifetime of the context or, if it has none, in a new one that ends with `work`. */
export async function withinLifetime<Context extends { readonly lifetime: Lifetime | undefined }, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.lifetime) return work(ctx)
  const lifetime = new Lifetime()
  try {
    return await work({ ...ctx, lifetime })
  } finally {
    await lifetime.end()
  }
}
