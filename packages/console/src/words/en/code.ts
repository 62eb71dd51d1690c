/** The calls behind a screen. */
export const code = {
  title: "As code",
  purposes: {
    find: "The records of this list",
    groups: "The groups of this list",
    count: "How many there are",
    read: "This record",
    update: "Saving what is unsaved",
    create: "Creating it",
    session: "Your session",
    people: "The accounts of this list",
  },
  copyShort: "Copy",
  copy: (language: string) => `Copy ${language}`,
  copied: "Copied",
  selected: "Selected: copy it with your keys",
  before: "Before the first call",
  beforeHint: "A program makes the client once. A shell signs in once and keeps the cookie. Put in your password.",
  beforeElsewhere: "A program makes the client once. It signs in as your app does, with a cookie or a token.",
}
