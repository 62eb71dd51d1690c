/** Says why an update is refused, as a sentence for the client. */
export class Refusal extends Error {}
