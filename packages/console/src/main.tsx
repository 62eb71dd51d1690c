import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { guardHistory } from "./form/leaving.ts"
import { showAccent } from "./kit/accent.ts"
import { boot } from "./kit/boot.ts"
import { client } from "./kit/client.ts"
import { showAppearance, showFont } from "./shell/appearance.ts"
import { keepFocus } from "./shell/keep-focus.ts"
import { EntranceWordsContext } from "./words/entrance-words.ts"
import { currentLanguage, entranceWords } from "./words/language.ts"
import "./styles/entry.css"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root.")

guardHistory()
keepFocus()
const language = currentLanguage()
document.documentElement.lang = language
showAppearance()
void showFont()
if (boot.brand.accent !== null) showAccent(boot.brand.accent, document.documentElement)
client.setLocale(language)

createRoot(root).render(
  <StrictMode>
    <EntranceWordsContext value={entranceWords(language)}>
      <App />
    </EntranceWordsContext>
  </StrictMode>,
)
