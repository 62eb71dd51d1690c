import { seed } from "kit"

export default seed(async ({ collections }) => {
  for (const title of ["Open this page in a second window", "Tick this off, and look at the other one"])
    await collections.todos.create({ title })
})
