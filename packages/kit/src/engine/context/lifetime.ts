/** How long something lives: a request, a call in this process, a transaction, the app. What was made for it ends with it. */
export class Lifetime {
  #endings: (() => unknown)[] | undefined
  #hasEnded = false

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Runs `work` at the end; what is noted last runs first. It must not throw. */
  onEnd(work: () => unknown): void {
    this.#endings ??= []
    this.#endings.push(work)
  }

  /** Resolves when all of that is done; undefined where there is nothing to do. */
  end(): Promise<void> | undefined {
    this.#hasEnded = true
    return this.#endings && runFromLast(this.#endings)
  }
}

async function runFromLast(endings: (() => unknown)[]): Promise<void> {
  for (let work = endings.pop(); work; work = endings.pop()) await work()
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
