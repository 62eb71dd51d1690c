import { collection } from "kit"
import { hasHost } from "../_hosts.ts"

export default collection("properties")
  .fields(({ f }) => ({
    title: f.text(120).required(),
    organisation: f.relation("organisations").required(),
    isListed: f.boolean().required().default(false),
    doorCode: f.text().access({
      read: ({ session }) =>
        session && {
          OR: [
            { organisation: { is: hasHost(session.user.id) } },
            { bookings: { some: { guest: session.user.id, status: "confirmed" } } },
          ],
        },
    }),
    bookings: f.relation("bookings").hasMany({ via: "property" }),
    agencies: f.relation("agencies").manyToMany({ through: "managing" }),
  }))
  .access({
    read: ({ session }) => ({
      OR: [{ isListed: true }, { organisation: { is: hasHost(session?.user.id ?? "") } }],
    }),
    create: ({ session }) => session && { organisation: { is: hasHost(session.user.id) } },
    update: ({ session }) =>
      session && {
        OR: [{ organisation: { is: hasHost(session.user.id) } }, { agencies: { some: { manager: session.user.id } } }],
      },
  })
