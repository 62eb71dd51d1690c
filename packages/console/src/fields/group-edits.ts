export { ArrayEdit } from "./array/edit.tsx"
export { BlocksEdit } from "./blocks/edit.tsx"
export { ObjectEdit } from "./object/edit.tsx"
