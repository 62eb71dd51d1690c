import type { ResourceSummary } from "kit/client"
import { Link, useLocation } from "wouter"
import { boot } from "../kit/boot.ts"
import { useAppIndex } from "../kit/descriptions.ts"
import { useWords } from "../words/words.ts"
import { AccountMenu } from "./account-menu.tsx"
import { placeGroups, placePath } from "./places.ts"

/** The places of the app, in the author's groups. It lies on the paper without a box. */
export function Sidebar() {
  const words = useWords("shell")
  const groups = placeGroups(useAppIndex())
  return (
    <nav className="sidebar" aria-label={words.places}>
      <div className="brand">
        <span className="brand-mark" aria-hidden>
          {boot.brand.name.charAt(0).toLowerCase()}
        </span>
        {boot.brand.name}
      </div>
      {groups.map(({ name, places }) => (
        <section key={name ?? ""} className="place-group">
          {name !== null && <h2>{name}</h2>}
          {places.map((place) => (
            <PlaceLink key={place.name} place={place} />
          ))}
        </section>
      ))}
      <AccountMenu />
    </nav>
  )
}

function PlaceLink({ place }: { readonly place: ResourceSummary }) {
  const [location] = useLocation()
  const path = placePath(place)
  const isCurrent = location === path || location.startsWith(`${path}/`)
  return (
    <Link className="place" href={path} aria-current={isCurrent ? "page" : undefined}>
      {place.label}
    </Link>
  )
}
