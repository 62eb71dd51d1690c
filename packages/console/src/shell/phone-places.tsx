import { Ellipsis, Rows3 } from "lucide-react"
import { Link, useLocation } from "wouter"
import { useAppIndex } from "../kit/descriptions.ts"
import { Icon } from "../parts/icon.tsx"
import { useWords } from "../words/words.ts"
import { placePath } from "./places.ts"

/** The places at the lower edge of a phone: the collection that is open, and everything else. */
export function PhonePlaces() {
  const words = useWords("shell")
  const { resources } = useAppIndex()
  const [location] = useLocation()
  const open = resources.find((resource) => location.startsWith(placePath(resource))) ?? resources[0]
  return (
    <nav className="places" aria-label={words.places}>
      {open && (
        <Link href={placePath(open)} aria-current="page">
          <Icon of={Rows3} />
          {open.label}
        </Link>
      )}
      <Link href="/account">
        <Icon of={Ellipsis} />
        {words.more}
      </Link>
    </nav>
  )
}
