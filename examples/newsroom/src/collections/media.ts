import { collection } from "kit"
import { isAdmin, isMember } from "../_rules.ts"

export default collection("media")
  .fields(({ f }) => ({ alt: f.text(200).label({ en: "Alternative text", sk: "Alternatívny text" }) }))
  .label({ en: "Media", sk: "Médiá" }, { en: "Image", sk: "Obrázok" })
  .icon("image")
  .group({ en: "Content", sk: "Obsah" })
  .upload({ types: ["image/*"], maxSize: 10 * 1024 * 1024 })
  .access({ read: true, create: isMember, update: isMember, delete: isAdmin })
