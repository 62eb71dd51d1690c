import { collection } from "kit"

// Without rules, no caller has any right here.
export default collection("vault").fields(({ f }) => ({ note: f.textarea() }))
