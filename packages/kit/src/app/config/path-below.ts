/**
 * Returns the app's base path relative to the prefix at which a host framework has mounted the app. If the base path is
 * not below the prefix, returns an error that says which setting to change.
 */
export function pathBelow(prefix: string, basePath: string): string | Error {
  if (`${basePath}/`.startsWith(`${prefix}/`)) return basePath.slice(prefix.length)
  return new Error(
    `The app's base path "${basePath}/" does not lie below "${prefix}/", where the host has mounted it. Set basePath in kit.config.ts to the whole path, such as "${prefix}/api".`,
  )
}
