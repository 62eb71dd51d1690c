/** A `fetch` that keeps cookies between its calls, as a browser does for one origin. */
export function cookieJarFetch(origin?: string): typeof fetch {
  const jar = new Map<string, string>()
  return async (url, init = {}) => {
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set("cookie", Array.from(jar, ([name, value]) => `${name}=${value}`).join("; "))
    if (origin !== undefined) headers.set("origin", origin)
    const response = await fetch(url, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie)
    return response
  }
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split(";")
  const [name = "", ...value] = pair.trim().split("=")
  const isRemoved = attributes.some((attribute) => /^ *max-age=0$/i.test(attribute))
  if (isRemoved) jar.delete(name)
  else jar.set(name, value.join("="))
}
