import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { findPlatformPackage, PLATFORM_PACKAGE } from "./binaries.ts"

interface BundledLibrary {
  readonly name: string
  readonly version: string
}

interface KnownLibrary {
  readonly name: string
  readonly file: RegExp
  /** Matches the library's version inside its binary file. */
  readonly version: RegExp
  /** True if the binary file holds the version as a single number, such as 20904 for 2.9.4. */
  readonly isNumber?: true
}

// The bundled libraries whose versions are listed: only those that process, or could process, data from clients.
const KNOWN_LIBRARIES: readonly KnownLibrary[] = [
  { name: "OpenSSL", file: /^libcrypto\b/, version: /OpenSSL (\d+\.\d+\.\d+[a-z]*) +\d+ \w+ \d{4}/ },
  { name: "zlib", file: /^libz\./, version: /deflate (\d[\d.]*) Copyright/ },
  { name: "libxml2", file: /^libxml2\./, version: /(?<![0-9A-Za-z])(2\d{4})\0/, isNumber: true },
  { name: "libxslt", file: /^libxslt\./, version: /(?<![0-9A-Za-z])(1\d{4})\0/, isNumber: true },
]

/** Returns the libraries inside the PostgreSQL that comes with kit, with the versions found in the library files. */
export function bundledLibraries(): readonly BundledLibrary[] {
  const folder = join(findPlatformPackage(PLATFORM_PACKAGE).root, "native", "lib")
  const files = readdirSync(folder)
  return KNOWN_LIBRARIES.flatMap((library) => {
    const file = files.find((name) => library.file.test(name))
    const version = file && versionIn(readFileSync(join(folder, file), "latin1"), library)
    return version ? [{ name: library.name, version }] : []
  })
}

function versionIn(content: string, { version, isNumber }: KnownLibrary): string | undefined {
  const found = version.exec(content)?.[1]
  return found && isNumber ? dotted(Number(found)) : found
}

function dotted(number: number): string {
  return [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].join(".")
}
