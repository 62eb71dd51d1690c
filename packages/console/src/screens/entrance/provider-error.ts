const PARAMETER = "error"

/** Returns the error with which another service has sent the browser back, if there is one. */
export function providerError(): string | null {
  return new URLSearchParams(location.search).get(PARAMETER)
}

/** Takes the error out of the address, so that it is not shown again after the page is loaded again. */
export function forgetProviderError(): void {
  const { pathname, search, hash } = location
  const parameters = new URLSearchParams(search)
  if (!parameters.has(PARAMETER)) return
  for (const name of [PARAMETER, "error_description"]) parameters.delete(name)
  const rest = parameters.size > 0 ? `?${parameters}` : ""
  history.replaceState(history.state, "", `${pathname}${rest}${hash}`)
}
