import { collection } from "kit"

export default collection("articles")
  .fields(({ f }) => ({
    /** The id of the article in the labelled set. */
    label: f.text().required().unique(),
    title: f.text().required(),
    lead: f.textarea().required(),
    body: f.textarea().required(),
    section: f.text().required(),
  }))
  .searchable({ fields: ["lead", "body"], title: "title" })
  .access({ read: true, create: true })
