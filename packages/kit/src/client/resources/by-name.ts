/** Returns an object that has every name as a member, and makes a member when it is read for the first time. */
export function byName<Operations extends object>(
  make: (name: string) => Operations,
): Readonly<Record<string, Operations>> {
  // The operations are kept outside of the proxy's target: code that copies, prints or awaits the proxy reads names such
  // as `toJSON` and `then`, which would otherwise become members of the copy.
  const made: Record<string, Operations> = Object.create(null)
  return new Proxy<Record<string, Operations>>(Object.create(null), {
    get(_target, name) {
      if (typeof name !== "string") return undefined
      made[name] ??= make(name)
      return made[name]
    },
  })
}
