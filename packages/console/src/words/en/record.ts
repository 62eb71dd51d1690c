export const record = {
  save: "Save",
  failed: "The record could not be read",
}
