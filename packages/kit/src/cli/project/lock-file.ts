import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { PACKAGE_ROOT } from "../package-root.ts"
import { isWorkspace, type Manifest } from "./template.ts"

type Names = Readonly<Record<string, unknown>>

/** The parts of a package's entry in npm's lock file that are used here. */
interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [fact: string]: unknown
}

/** Packages by the path at which they are installed. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

interface NewApp {
  readonly name: string
  readonly manifest: Manifest
  /** The version specifier of kit: `file:vendor/…`. */
  readonly kit: string
}

const LOCK_VERSION = 3
const KIT_WORKSPACE_PATH = "packages/kit"
const KIT_INSTALL_PATH = "node_modules/kit"

/** The package versions that kit is tested with; undefined if they are unknown, in which case npm chooses. */
export async function readTestedVersions(): Promise<LockedPackages | undefined> {
  const file = isWorkspace()
    ? join(PACKAGE_ROOT, "..", "..", "package-lock.json")
    : join(PACKAGE_ROOT, "templates", "tested-versions.json")
  if (!existsSync(file)) return undefined
  const { packages }: { packages?: LockedPackages } = JSON.parse(await readFile(file, "utf8"))
  return packages
}

/** A lock file for a new app, with the versions that kit is tested with, so that npm looks up only missing packages. */
export function lockFor({ name, manifest, kit }: NewApp, tested: LockedPackages): object {
  const { dependencies = {}, devDependencies = {} } = manifest
  const own = Object.keys({ ...dependencies, ...devDependencies }).filter((needed) => needed !== "kit")
  const places = dependencyClosure(tested, [KIT_WORKSPACE_PATH, ...own.map((needed) => `node_modules/${needed}`)])
  const locked = [...places].sort().map((place) => [pathInApp(place), entryOf(place, tested, kit)])
  const root = { name, dependencies: { ...dependencies, kit }, devDependencies }
  return { name, lockfileVersion: LOCK_VERSION, requires: true, packages: { "": root, ...Object.fromEntries(locked) } }
}

// Everything that these packages depend on, resolved as Node does.
function dependencyClosure(tested: LockedPackages, start: readonly string[]): ReadonlySet<string> {
  const places = new Set(start.filter((place) => Object.hasOwn(tested, place)))
  // Iterating over a set includes elements that are added meanwhile.
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
  // npm computes again which packages are needed for development only.
  const { dev, devOptional, devDependencies, ...entry } = tested[place] ?? {}
  return place === KIT_WORKSPACE_PATH ? { ...entry, resolved: kit } : entry
}
