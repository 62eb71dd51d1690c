/** Returns a member of an object by a name that an address or a browser has kept, which may be any text. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}
