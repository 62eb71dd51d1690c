import type { Plugin } from "vite"

const ALL = "virtual:icons"
const LETTER = /^virtual:icons\/([a-z])$/

// A shape of an icon: the path of a path, or the name and the attributes of another element.
type Shape = string | readonly [element: string, attributes: Readonly<Record<string, string>>]

/**
 * Makes one module of all icons whose names begin with the same letter: an author may name any of the 1,700 icons, and a
 * page that names eight of them loads about five such modules, of 4 KB on average.
 */
export function iconsByLetter(): Plugin {
  let icons: Promise<ReadonlyMap<string, readonly Shape[]>> | undefined
  return {
    name: "icons-by-letter",
    resolveId: (id) => (id === ALL || LETTER.test(id) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${ALL}`)) return undefined
      icons ??= readIcons()
      const letter = LETTER.exec(id.slice(1))?.[1]
      return letter === undefined ? lettersModule(await icons) : letterModule(await icons, letter)
    },
  }
}

/** Returns the shapes of all icons, by each name that they have or had. */
async function readIcons(): Promise<ReadonlyMap<string, readonly Shape[]>> {
  const { default: imports } = await import("lucide-react/dynamicIconImports.mjs")
  const read = Object.entries(imports).map(async ([name, load]) => [name, shapesOf(await load())] as const)
  return new Map(await Promise.all(read))
}

// The modules of icons have this export beside their component, which their types do not have.
interface IconModule {
  readonly __iconData?: { readonly node: readonly (readonly [string, Readonly<Record<string, string>>])[] }
}

function shapesOf(module: object): readonly Shape[] {
  const { __iconData } = module as IconModule
  return (__iconData?.node ?? []).map(([element, { key: _, ...attributes }]) => {
    const { d, ...others } = attributes
    return element === "path" && d !== undefined && Object.keys(others).length === 0 ? d : [element, attributes]
  })
}

function lettersModule(icons: ReadonlyMap<string, unknown>): string {
  const letters = [...new Set([...icons.keys()].map((name) => name.charAt(0)))]
  const loaders = letters.map((letter) => `${letter}: () => import("${ALL}/${letter}")`)
  return `export default { ${loaders.join(", ")} }`
}

function letterModule(icons: ReadonlyMap<string, unknown>, letter: string): string {
  const named = [...icons].filter(([name]) => name.startsWith(letter))
  return `export default ${JSON.stringify(Object.fromEntries(named))}`
}
