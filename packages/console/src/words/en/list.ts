export const list = {
  create: (singular: string) => `New ${singular.toLocaleLowerCase("en")}`,
  failed: "The list could not be read",
}
