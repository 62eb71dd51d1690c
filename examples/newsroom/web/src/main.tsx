import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { CurrentPage } from "./pages.tsx"
import { Layout } from "./shell/layout.tsx"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/masthead.css"
import "./styles/reading.css"
import "./styles/read-next.css"
import "./styles/blocks.css"
import "./styles/chosen-stories.css"
import "./styles/search.css"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root.")

createRoot(root).render(
  <StrictMode>
    <Layout>
      <CurrentPage />
    </Layout>
  </StrictMode>,
)
