import { TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"
import { ErrorBoundary } from "./error-boundary.tsx"
import { Icon } from "./icon.tsx"
import { Failure } from "./notice.tsx"

interface PartBoundaryProps {
  /** The name of the part, such as the label of a field. */
  readonly name: string
  readonly children: ReactNode
}

/** Keeps an error in the place of a part of a screen, such as a field, and offers to try again. */
export function PartBoundary({ name, children }: PartBoundaryProps) {
  return (
    <ErrorBoundary fallback={(error, retry) => <BrokenPart name={name} error={error} onRetry={retry} />}>
      {children}
    </ErrorBoundary>
  )
}

interface BrokenPartProps {
  readonly name: string
  readonly error: Error
  readonly onRetry: () => void
}

function BrokenPart({ name, error, onRetry }: BrokenPartProps) {
  const words = useWords("shell")
  return (
    <section className="broken" aria-label={name}>
      <p>
        <Icon of={TriangleAlert} />
        {words.partFailed(name)}
      </p>
      <p className="hint">{error.message}</p>
      <Button onPress={onRetry}>{words.tryAgain}</Button>
    </section>
  )
}

interface CellBoundaryProps {
  /** The record of the row: another one is tried again. */
  readonly record: object
  readonly children: ReactNode
}

/** Keeps an error in the place of a cell. The grid has the keys, so there is nothing to press in it. */
export function CellBoundary({ record, children }: CellBoundaryProps) {
  return (
    <ErrorBoundary subject={record} fallback={(error) => <BrokenCell error={error} />}>
      {children}
    </ErrorBoundary>
  )
}

function BrokenCell({ error }: { readonly error: Error }) {
  const words = useWords("shell")
  return (
    <span className="none" title={error.message}>
      {words.cellFailed}
    </span>
  )
}

interface ScreenBoundaryProps {
  /** The address of the screen: another one is rendered again. */
  readonly address: string
  /** Leads away from a screen that has failed. */
  readonly wayBack: ReactNode
  readonly children: ReactNode
}

/** Keeps an error in the place of a screen. The sidebar beside it goes on. */
export function ScreenBoundary({ address, wayBack, children }: ScreenBoundaryProps) {
  const words = useWords("shell")
  return (
    <ErrorBoundary
      subject={address}
      fallback={(error, retry) => (
        <main className="sheet">
          <Failure title={words.screenFailed} error={error} onRetry={retry} />
          <p className="way-back">{wayBack}</p>
        </main>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
