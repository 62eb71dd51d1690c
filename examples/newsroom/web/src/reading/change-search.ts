import { navigate } from "../shell/router.tsx"

/** Changes one part of the search in the address. */
export function changeSearch(name: string, value: string | undefined): void {
  const query = new URLSearchParams(location.search)
  if (value) query.set(name, value)
  else query.delete(name)
  navigate(`/search${query.size > 0 ? `?${query}` : ""}`, { replace: true })
}
