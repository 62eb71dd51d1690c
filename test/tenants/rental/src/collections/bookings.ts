import { ApiError, collection } from "kit"
import { hasHostOfProperty, isHostOfProperty } from "../_hosts.ts"

const DAY_MS = 86_400_000

export default collection("bookings")
  .fields(({ f }) => ({
    property: f.relation("properties").required().access({ update: false }),
    guest: f.text().required().access({ update: false }),
    from: f.date().required().access({ update: false }),
    to: f.date().required().access({ update: false }),
    status: f
      .select(["asked", "confirmed"])
      .required()
      .default("asked")
      .access({ create: false, update: isHostOfProperty }),
    wish: f.text(),
    hostNote: f.text().access({ read: isHostOfProperty, create: false, update: isHostOfProperty }),
  }))
  .access({
    read: ({ session }) => session && { OR: [{ guest: session.user.id }, hasHostOfProperty(session.user.id)] },
    create: ({ session }) => session && { guest: session.user.id, property: { is: { isListed: true } } },
    update: ({ session }) => session && { OR: [{ guest: session.user.id }, hasHostOfProperty(session.user.id)] },
  })
  .hooks({
    // A night of a property is a row that exists once: of two bookings that overlap, the second is a 409 as a whole.
    afterChange: async ({ operation, row, asSystem }) => {
      if (operation !== "create") return
      const [from, to] = [Date.parse(String(row["from"])), Date.parse(String(row["to"]))]
      if (!(to > from)) throw new ApiError("BAD_REQUEST", { message: "The last day comes after the first." })
      const nights = Array.from({ length: (to - from) / DAY_MS }, (_, night) => new Date(from + night * DAY_MS))
      const { nights: taken } = asSystem().collections
      for (const day of nights) {
        await taken?.create({ property: row["property"], booking: row["id"], day: day.toISOString().slice(0, 10) })
      }
    },
  })
