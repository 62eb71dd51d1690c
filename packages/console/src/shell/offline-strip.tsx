import { TriangleAlert } from "lucide-react"
import { Icon } from "../parts/icon.tsx"
import { useWords } from "../words/words.ts"
import { useLostConnection } from "./connection.ts"

/** One quiet strip above the sheet while there is no connection. Nothing below it is disabled. */
export function OfflineStrip() {
  const words = useWords("shell")
  const since = useLostConnection()
  return (
    <div className="offline" role="status">
      {since && (
        <p className="strip">
          <Icon of={TriangleAlert} />
          {words.offlineSince(since.toLocaleTimeString(words.formats, { timeStyle: "short" }))}
        </p>
      )}
    </div>
  )
}
