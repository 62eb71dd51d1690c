import { route } from "kit"

export default route()
  .delete()
  .handler(() => {})
