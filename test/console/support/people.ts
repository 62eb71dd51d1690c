/** The people whom the seed of the app has created, one for each role. */
export const ROLES = ["admin", "editor", "author", "viewer"] as const

export type Role = (typeof ROLES)[number]

export const PASSWORD = "correct horse"

export const NAMES: Readonly<Record<Role, string>> = {
  admin: "Ada Root",
  editor: "Eva Novak",
  author: "Jonas Berg",
  viewer: "Mina Okafor",
}

export const emailOf = (role: Role) => `${role}@example.com`
