/**
 * The lifetime of a request, of a direct call in this process, of a transaction or of the app. Service instances that
 * were created for a lifetime are disposed when it ends.
 */
export class Lifetime {
  #endings: (() => unknown)[] | undefined
  #hasEnded = false

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /**
   * Registers `work` to run when the lifetime ends. The work that was registered last runs first. `work` must not
   * throw.
   */
  onEnd(work: () => unknown): void {
    this.#endings ??= []
    this.#endings.push(work)
  }

  /**
   * Ends the lifetime: runs all registered work, and resolves when the work is done. Returns undefined if there is no
   * work.
   */
  end(): Promise<void> | undefined {
    this.#hasEnded = true
    return this.#endings && runFromLast(this.#endings)
  }
}

async function runFromLast(endings: (() => unknown)[]): Promise<void> {
  for (let work = endings.pop(); work; work = endings.pop()) await work()
}

/**
 * Runs `work` in the lifetime of `ctx`. If `ctx` has no lifetime, creates a new lifetime that ends when `work` is done.
 */
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
