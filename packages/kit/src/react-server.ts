// The entry `kit/react` in server components, which bundlers choose by the condition "react-server". React has no state
// and no context there. The build adds the provider and the hooks, as references to client components.
export { preload } from "./react/provider/preload.ts"
