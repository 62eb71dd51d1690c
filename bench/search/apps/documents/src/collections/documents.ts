import { collection } from "kit"

export default collection("documents")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea().required(),
    owner: f.text(60).required().index(),
    section: f.text(20).required(),
    kind: f.select(["news", "report", "letter", "notice"]).required(),
    year: f.number().integer().required(),
  }))
  .searchable({ fields: ["body"], title: "title", facets: ["section", "kind", "year"] })
  .access({ read: ({ session }) => session && { owner: session.user.id } })
