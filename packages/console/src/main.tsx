import { lazy, StrictMode, Suspense } from "react"
import { createRoot } from "react-dom/client"
import { readBoot } from "./kit/boot.ts"
import "./styles/index.css"

const boot = readBoot()
const SignIn = lazy(() => import("./screens/sign-in.tsx"))
const root = document.getElementById("root")

if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Suspense>
        <SignIn boot={boot} />
      </Suspense>
    </StrictMode>,
  )
}
