/** The base path relative to the prefix at which a host has mounted the app, or an error that says what to set. */
export function pathBelow(prefix: string, basePath: string): string | Error {
  if (`${basePath}/`.startsWith(`${prefix}/`)) return basePath.slice(prefix.length)
  return new Error(
    `The app's base path "${basePath}/" does not lie below "${prefix}/", where the host has mounted it. Set basePath in kit.config.ts to the whole path, such as "${prefix}/api".`,
  )
}
