import { collection } from "kit"

// Without rules: nobody has a right here.
export default collection("vault").fields(({ f }) => ({ note: f.textarea() }))
