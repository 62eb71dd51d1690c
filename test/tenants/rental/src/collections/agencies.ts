import { collection } from "kit"

export default collection("agencies")
  .fields(({ f }) => ({
    manager: f.text().required(),
    properties: f.relation("properties").manyToMany({ through: "managing" }),
  }))
  .access({
    read: true,
    create: ({ session }) => session && { manager: session.user.id },
    update: ({ session }) => session && { manager: session.user.id },
  })
