import { collection } from "kit"

/** The nights that are taken. Only the hook of the bookings writes them. */
export default collection("nights")
  .fields(({ f }) => ({
    property: f.relation("properties").required(),
    day: f.date().required(),
    booking: f.relation("bookings").required().onDelete("cascade"),
  }))
  .indexes([{ fields: ["property", "day"], unique: true }])
  .access({ read: true })
