import type { ResourceSummary } from "kit/client"
import { PanelLeft, Rows3, Search, Settings2 } from "lucide-react"
import { Link, useLocation } from "wouter"
import { openLayer } from "../keys/layers.ts"
import { boot } from "../kit/boot.ts"
import { useAppIndex } from "../kit/descriptions.ts"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { keyText } from "../parts/key-text.ts"
import { useWords } from "../words/words.ts"
import { AccountMenu } from "./account-menu.tsx"
import { PlaceIcon } from "./place-icon.tsx"
import { isAt, placeGroups, placePath } from "./places.ts"

interface SidebarProps {
  /** True if it shows icons only. */
  readonly isFolded: boolean
  readonly onFold: () => void
}

/** The places of the app, in the author's groups. It lies on the paper without a box. */
export function Sidebar({ isFolded, onFold }: SidebarProps) {
  const words = useWords("shell")
  const index = useAppIndex()
  // An app that names no icon has a plain list of names.
  const hasIcons = isFolded || index.resources.some(({ icon }) => icon !== null)
  return (
    <nav className="sidebar" aria-label={words.places}>
      <div className="brand">
        <span className="brand-mark" aria-hidden>
          {boot.brand.name.charAt(0).toLowerCase()}
        </span>
        <span className="brand-name">{boot.brand.name}</span>
        <Button
          look="icon"
          onPress={onFold}
          aria-label={isFolded ? words.unfold : words.fold}
          aria-expanded={!isFolded}
        >
          <Icon of={PanelLeft} />
        </Button>
      </div>
      <JumpButton isFolded={isFolded} />
      {placeGroups(index).map(({ name, places }) => (
        <section key={name ?? ""} className="place-group">
          {name !== null && <h2>{name}</h2>}
          {places.map((place) => (
            <PlaceLink key={place.name} place={place} hasIcon={hasIcons} isFolded={isFolded} />
          ))}
        </section>
      ))}
      <AccountMenu />
    </nav>
  )
}

/** Opens the palette. */
function JumpButton({ isFolded }: Pick<SidebarProps, "isFolded">) {
  const { jump } = useWords("shell")
  return (
    <button
      type="button"
      className="jump"
      aria-haspopup="dialog"
      title={isFolded ? jump : undefined}
      onClick={() => openLayer("palette")}
    >
      <Icon of={Search} />
      <span className="place-name">{jump}</span>
      <kbd className="place-name" aria-hidden>
        {keyText("⌘K")}
      </kbd>
    </button>
  )
}

interface PlaceLinkProps {
  readonly place: ResourceSummary
  readonly hasIcon: boolean
  readonly isFolded: boolean
}

function PlaceLink({ place, hasIcon, isFolded }: PlaceLinkProps) {
  const [location] = useLocation()
  return (
    <Link
      className="place"
      href={placePath(place)}
      aria-current={isAt(place, location) ? "page" : undefined}
      title={isFolded ? place.label : undefined}
    >
      {hasIcon && <IconOf place={place} />}
      <span className="place-name">{place.label}</span>
    </Link>
  )
}

/** The icon that the author has named, or a plain one of its kind. */
export function IconOf({ place: { icon, kind } }: { readonly place: ResourceSummary }) {
  if (icon !== null) return <PlaceIcon name={icon} />
  return <Icon of={kind === "collection" ? Rows3 : Settings2} />
}
