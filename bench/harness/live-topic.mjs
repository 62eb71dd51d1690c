/** The topic of the subscribers of the live rows: the newest five posts. */
export const LIVE_TOPIC = { id: "posts", resourceType: "collection", resource: "posts", limit: 5 }
