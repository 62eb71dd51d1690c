import { Ellipsis, Search } from "lucide-react"
import { useState } from "react"
import { Link, useLocation } from "wouter"
import { openLayer } from "../keys/layers.ts"
import { useAppIndex } from "../kit/descriptions.ts"
import { Icon } from "../parts/icon.tsx"
import { ModalDialog } from "../parts/modal-dialog.tsx"
import { useWords } from "../words/words.ts"
import { AccountLinks } from "./account-menu.tsx"
import { isAt, placeGroups, placePath } from "./places.ts"
import { IconOf } from "./sidebar.tsx"

const MAX_PLACES = 2

/** The places at the lower edge of a phone: the one that is open, one beside it, the search, and a sheet with all of them. */
export function PhonePlaces() {
  const words = useWords("shell")
  const [location] = useLocation()
  const places = placeGroups(useAppIndex()).flatMap((group) => group.places)
  const at = Math.max(
    places.findIndex((place) => isAt(place, location)),
    0,
  )
  const first = Math.max(0, Math.min(at - 1, places.length - MAX_PLACES))
  return (
    <nav className="places" aria-label={words.places}>
      {places.slice(first, first + MAX_PLACES).map((place) => (
        <Link key={place.name} href={placePath(place)} aria-current={isAt(place, location) ? "page" : undefined}>
          <IconOf place={place} />
          <span>{place.label}</span>
        </Link>
      ))}
      <button type="button" className="places-more" aria-haspopup="dialog" onClick={() => openLayer("palette")}>
        <Icon of={Search} />
        <span>{words.search}</span>
      </button>
      <AllPlaces location={location} />
    </nav>
  )
}

function AllPlaces({ location }: { readonly location: string }) {
  const words = useWords("shell")
  const groups = placeGroups(useAppIndex())
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="places-more" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={Ellipsis} />
        <span>{words.more}</span>
      </button>
      {isOpen && (
        <ModalDialog label={words.places} look="below" onClose={close}>
          {groups.map(({ name, places }) => (
            <section key={name ?? ""}>
              {name !== null && <h2 className="menu-group">{name}</h2>}
              {places.map((place) => (
                <Link
                  key={place.name}
                  className="menu-item"
                  href={placePath(place)}
                  onClick={close}
                  aria-current={isAt(place, location) ? "page" : undefined}
                >
                  <IconOf place={place} />
                  {place.label}
                </Link>
              ))}
            </section>
          ))}
          <AccountLinks onLeave={close} />
        </ModalDialog>
      )}
    </>
  )
}
