/** The addresses of the console, below its base. Every link and every route of the page is made here. */
export const ROUTES = {
  home: "/",
  account: "/account",
  people: "/people",
  reset: "/reset",
  list: "/collections/:collection",
  newRecord: "/collections/:collection/new",
  record: "/collections/:collection/:id",
  /** The list of a collection, and everything below it. */
  inCollection: "/collections/:collection/*?",
  global: "/globals/:global",
} as const

export const listPath = (collection: string) => `/collections/${encodeURIComponent(collection)}`
export const newRecordPath = (collection: string) => `${listPath(collection)}/new`
export const recordPath = (collection: string, id: string) => `${listPath(collection)}/${encodeURIComponent(id)}`
export const globalPath = (name: string) => `/globals/${encodeURIComponent(name)}`
