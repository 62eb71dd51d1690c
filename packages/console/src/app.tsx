import { KitProvider } from "kit/react"
import { Router } from "wouter"
import { aroundNavigation } from "./form/leaving.ts"
import { Gate } from "./gate.tsx"
import { boot } from "./kit/boot.ts"
import { client } from "./kit/client.ts"

/** The whole console: the client of the page, the addresses below the console's base, and the gate before the desk. */
export function App() {
  return (
    <KitProvider client={client}>
      <Router base={boot.consoleBase.replace(/\/$/, "")} aroundNav={aroundNavigation}>
        <Gate />
      </Router>
    </KitProvider>
  )
}
