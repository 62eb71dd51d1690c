// Random questions about the app itself: what it has, and what the caller may do.
import type { House } from "./content.ts"
import { LOCALES } from "./model.ts"

const COLLECTIONS = [
  ...["books", "authors", "tags", "editions", "teams", "memberships", "tasks", "media", "shelves", "boxes"],
  // Nothing has these names; one is similar to names that no caller may learn.
  ...["vaultt", "nothing"],
]
const RECORDS = ["books", "books", "tasks", "tasks", "authors", "tags", "media", "editions"]
const GLOBALS = ["home", "settings", "vault"]

/** Returns the path of a description. */
export function descriptionPath(house: House): string {
  const { chance } = house
  const locale = chance.is(40) ? `?locale=${chance.of([...LOCALES, "*"])}` : ""
  const kind = chance.below(10)
  if (kind < 2) return `/_kit/schema${locale}`
  if (kind < 5) return `/${chance.of(COLLECTIONS)}/${chance.of(["meta", "schema", "schema"])}${locale}`
  if (kind < 6) return `/globals/${chance.of(GLOBALS)}/${chance.of(["meta", "schema", "access"])}${locale}`
  const name = chance.of(RECORDS)
  const query = locale === "" && chance.is(30) ? "?includeDeleted=true" : locale
  return `/${name}/${house.id(name)}/access${query}`
}

/** Returns the body of a question for the rights on several records. */
export function rightsQuestion(house: House): object {
  const { chance } = house
  const resource = chance.of(chance.is(95) ? RECORDS : ["vaultt", "home", "nothing"])
  const ids = Array.from({ length: chance.is(97) ? 1 + chance.below(6) : 0 }, () => house.id(resource))
  return {
    resource,
    ids,
    ...(chance.is(20) && { locale: chance.of(LOCALES) }),
    ...(chance.is(25) && { includeDeleted: true }),
  }
}
