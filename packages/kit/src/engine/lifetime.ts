/** How long something lives: a request, a call in this process, a transaction, the app. What was made for it ends with it. */
export class Lifetime {
  #endings: (() => unknown)[] | undefined
  #hasEnded = false

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether nothing waits for the end. */
  get isIdle(): boolean {
    return this.#endings === undefined
  }

  /** Runs `work` at the end; what is noted last runs first. It must not throw. */
  onEnd(work: () => unknown): void {
    this.#endings ??= []
    this.#endings.push(work)
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    for (let work = this.#endings?.pop(); work; work = this.#endings?.pop()) await work()
    this.#endings = undefined
  }
}

/** Runs `work` in the lifetime it is called in, or in one of its own. */
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
