import { collection } from "kit"

export default collection("orders")
  .fields(({ f }) => ({
    code: f.text().required().index("contains"),
    note: f.text(),
    status: f.select(["open", "paid", "sent", "closed"]).required(),
    amount: f.number().decimal(10, 2).required(),
    author: f.relation("authors").required(),
    team: f.relation("teams").required(),
  }))
  .indexes([{ fields: ["createdAt", "amount"] }])
  .access({ read: true })
