import type { PartSchema } from "kit/client"

/** Returns the description of a part, with what a test is about. */
export function part(type: string, given: Partial<PartSchema> = {}): PartSchema {
  return {
    type,
    label: type,
    description: null,
    placeholder: null,
    required: false,
    width: null,
    visible: null,
    limits: {},
    ...given,
  }
}

/** Returns the description of a list of blocks. */
export function blocks(given: Readonly<Record<string, Readonly<Record<string, PartSchema>>>>): PartSchema {
  const described = Object.entries(given).map(([name, fields]) => [
    name,
    { label: name, description: null, icon: null, fields },
  ])
  return part("blocks", { blocks: Object.fromEntries(described) })
}
