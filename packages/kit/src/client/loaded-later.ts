type Run = (...args: unknown[]) => unknown

/** Operations whose code is loaded with the first call of one of them; `names` are their names in a row. */
export function loadedLater<Operations extends object>(
  names: string,
  load: () => Promise<Operations>,
): { readonly [Name in keyof Operations]: Operations[Name] } {
  const entries = names.split(" ").map((name) => [
    name,
    // By this name it is there, and it takes what is handed on to it.
    async (...args: unknown[]) => await ((await load()) as Record<string, Run>)[name]?.(...args),
  ])
  // Each of them takes and answers what the one of its name does.
  return Object.fromEntries(entries) as Operations
}
