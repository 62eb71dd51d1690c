// Module hooks: they load the framework from the bundle with source maps instead of from the built one.

let built = ""
let mapped = ""

/** @param {{ built: string, mapped: string }} folders their URLs */
export function initialize(folders) {
  built = folders.built
  mapped = folders.mapped
}

/** @param {string} specifier @param {object} context @param {Function} next */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  return { ...resolved, url: resolved.url.replace(built, mapped) }
}
