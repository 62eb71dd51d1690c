import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { guardHistory } from "./form/leaving.ts"
import { client } from "./kit/client.ts"
import { currentLanguage, loadWords } from "./words/language.ts"
import { WordsContext } from "./words/words.ts"
import "./styles/index.css"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root.")

guardHistory()
const language = currentLanguage()
document.documentElement.lang = language
client.setLocale(language)
const words = await loadWords(language)

createRoot(root).render(
  <StrictMode>
    <WordsContext value={words}>
      <App />
    </WordsContext>
  </StrictMode>,
)
