type Run = (...args: unknown[]) => unknown

/** Operations whose code is loaded with the first call; `names` is a list separated by spaces. */
export function lazyOperations<Operations extends object>(
  names: string,
  load: () => Promise<Operations>,
): { readonly [Name in keyof Operations]: Operations[Name] } {
  const entries = names.split(" ").map((name) => [
    name,
    // The loaded object has an operation of this name, with the same arguments.
    async (...args: unknown[]) => await ((await load()) as Record<string, Run>)[name]?.(...args),
  ])
  // Each entry has the signature of the operation that it loads.
  return Object.fromEntries(entries) as Operations
}
