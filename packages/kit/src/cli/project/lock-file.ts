import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { PACKAGE_ROOT } from "../package-root.ts"
import { isWorkspace, type Manifest } from "./template.ts"

type Names = Readonly<Record<string, unknown>>

/** The members of a package's entry in npm's lock file that this module uses. */
interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [fact: string]: unknown
}

/** The entries of npm's lock file, by the path at which each package is installed. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

interface NewApp {
  readonly name: string
  readonly manifest: Manifest
  /** The version specifier for the kit package, such as `file:vendor/…`. */
  readonly kit: string
}

const LOCK_VERSION = 3
const KIT_WORKSPACE_PATH = "packages/kit"
const KIT_INSTALL_PATH = "node_modules/kit"

/** Returns the package versions that kit is tested with; undefined if unknown, in which case npm chooses versions. */
export async function readTestedVersions(): Promise<LockedPackages | undefined> {
  const file = isWorkspace()
    ? join(PACKAGE_ROOT, "..", "..", "package-lock.json")
    : join(PACKAGE_ROOT, "templates", "tested-versions.json")
  if (!existsSync(file)) return undefined
  const { packages }: { packages?: LockedPackages } = JSON.parse(await readFile(file, "utf8"))
  return packages
}

/**
 * Returns a lock file for a new app. It holds the package versions that kit is tested with, so that npm looks up only
 * packages that are missing.
 */
export function lockFor({ name, manifest, kit }: NewApp, tested: LockedPackages): object {
  const { dependencies = {}, devDependencies = {} } = manifest
  const own = Object.keys({ ...dependencies, ...devDependencies }).filter((needed) => needed !== "kit")
  const places = dependencyClosure(tested, [KIT_WORKSPACE_PATH, ...own.map((needed) => `node_modules/${needed}`)])
  const locked = [...places].sort().map((place) => [pathInApp(place), entryOf(place, tested, kit)])
  const root = { name, dependencies: { ...dependencies, kit }, devDependencies }
  return { name, lockfileVersion: LOCK_VERSION, requires: true, packages: { "": root, ...Object.fromEntries(locked) } }
}

// Returns the given packages and everything that they depend on, resolved as Node resolves packages.
function dependencyClosure(tested: LockedPackages, start: readonly string[]): ReadonlySet<string> {
  const places = new Set(start.filter((place) => Object.hasOwn(tested, place)))
  // The loop also visits the elements that are added to the set while it runs.
  for (const place of places) {
    for (const found of dependencyPathsOf(tested, place)) places.add(found)
  }
  return places
}

function dependencyPathsOf(tested: LockedPackages, place: string): readonly string[] {
  return dependencyNamesOf(tested[place] ?? {}).flatMap((name) => resolveDependency(tested, place, name) ?? [])
}

function dependencyNamesOf({
  dependencies,
  optionalDependencies,
  peerDependencies,
  ...more
}: LockedPackage): readonly string[] {
  const isNeeded = (peer: string) => more.peerDependenciesMeta?.[peer]?.optional !== true
  const peers = Object.keys(peerDependencies ?? {}).filter(isNeeded)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

function resolveDependency(tested: LockedPackages, from: string, name: string): string | undefined {
  const parts = from.split("/")
  for (let length = parts.length; length >= 0; length--) {
    const place = [...parts.slice(0, length), "node_modules", name].join("/")
    if (parts[length - 1] !== "node_modules" && Object.hasOwn(tested, place)) return place
  }
  return undefined
}

function pathInApp(place: string): string {
  return place === KIT_WORKSPACE_PATH || place.startsWith(`${KIT_WORKSPACE_PATH}/`)
    ? KIT_INSTALL_PATH + place.slice(KIT_WORKSPACE_PATH.length)
    : place
}

function entryOf(place: string, tested: LockedPackages, kit: string): LockedPackage {
  // Leaves out the development markers, because npm determines again which packages only development needs.
  const { dev, devOptional, devDependencies, ...entry } = tested[place] ?? {}
  return place === KIT_WORKSPACE_PATH ? { ...entry, resolved: kit } : entry
}
