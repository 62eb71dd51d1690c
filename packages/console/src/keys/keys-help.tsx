import { X } from "lucide-react"
import { useId } from "react"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { keyText } from "../parts/key-text.ts"
import { usePlaces } from "../shell/use-places.ts"
import { useWords } from "../words/words.ts"
import "../styles/keys.css"
import { useLetterKeys } from "./letter-keys.ts"
import { placeLetters } from "./place-letters.ts"
import { topScreenKeys } from "./screen-keys.ts"
import { type KeyLine, screenLines } from "./screen-lines.ts"

/** The keys of the screen that is shown, and those that work everywhere. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const words = useWords("keys")
  const shell = useWords("shell")
  const [areLettersOn, turnLetters] = useLetterKeys()
  const list = useWords("list")
  const hintId = useId()
  const screen = topScreenKeys()
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <span className="keys-close">
        <Button look="icon" aria-label={shell.close} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </span>
      <div className="keys-columns">
        <div>
          {screen && <KeyGroup {...screenLines(screen, { keys: words, list })} />}
          <KeyGroup
            title={words.everywhere}
            lines={[
              { keys: ["⌘K"], text: words.palette },
              { keys: ["/"], text: words.search },
              { keys: ["?"], text: words.help },
              { keys: ["Esc"], text: words.escape },
            ]}
          />
        </div>
        <PlaceGroup />
      </div>
      <label className="keys-switch">
        <input
          type="checkbox"
          checked={areLettersOn}
          onChange={(event) => turnLetters(event.currentTarget.checked)}
          aria-describedby={hintId}
        />
        <span>
          {words.letters}
          <small id={hintId}>{words.lettersHint}</small>
        </span>
      </label>
    </Dialog>
  )
}

function PlaceGroup() {
  const { goTo } = useWords("keys")
  const places = usePlaces()
  const letters = placeLetters(places)
  const lines = places.flatMap(({ path, label }) => {
    const letter = letters.get(path)
    return letter === undefined ? [] : [{ keys: ["g", letter], text: label }]
  })
  return <KeyGroup title={goTo} lines={lines} />
}

function KeyGroup({ title, lines }: { readonly title: string; readonly lines: readonly KeyLine[] }) {
  return (
    <section>
      <h3 className="menu-group">{title}</h3>
      <dl className="keys-list">
        {lines.map(({ keys, text }) => (
          <div key={`${keys.join(" ")} ${text}`}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{keyText(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
