import { type ComponentType, lazy, type ReactNode, useState } from "react"
import { boot } from "../kit/boot.ts"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"
import { Notice } from "./notice.tsx"

type Load<Props> = () => Promise<ComponentType<Props>>

/** A part of a screen whose code is loaded when it is first shown. If that fails, its place offers to load it again. */
export function loadable<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return loadableIn(load, ({ children }) => <section className="broken">{children}</section>)
}

/** A screen whose code is loaded when it is first shown. */
export function loadableScreen<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return loadableIn(load, ({ children }) => <main className="sheet">{children}</main>)
}

type Frame = ComponentType<{ readonly children: ReactNode }>

function loadableIn<Props extends object>(load: Load<Props>, Frame: Frame): ComponentType<Props> {
  return lazy(async () => ({ default: await load().catch(() => loadedAgain(load, Frame)) }))
}

// React keeps the failure of a lazy component for ever. So the component is there, and knows how to load what it stands for.
function loadedAgain<Props extends object>(load: Load<Props>, Frame: Frame): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function LoadedAgain(props: Props) {
    const words = useWords("shell")
    const [Loaded, show] = useState(() => loaded)
    const [isOffline, setIsOffline] = useState(false)
    if (Loaded) return <Loaded {...props} />
    const again = async () => {
      renewStylesheets()
      loaded = await load().catch(() => undefined)
      if (loaded) show(() => loaded)
      // A server with another build of the console has other files: they are named by a new page.
      else if (await isServerThere()) location.reload()
      else setIsOffline(true)
    }
    return (
      <Frame>
        <Notice title={words.notLoaded}>
          <p role="status">{isOffline ? words.stillNoConnection : words.notLoadedHint}</p>
          <Button onPress={() => void again()}>{words.loadAgain}</Button>
        </Notice>
      </Frame>
    )
  }
}

async function isServerThere(): Promise<boolean> {
  const answer = await fetch(boot.consoleBase, { cache: "no-store" }).catch(() => undefined)
  return answer?.ok ?? false
}

// Styles that could not be loaded are not asked for again with the code that needs them.
function renewStylesheets(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode())
  }
}
