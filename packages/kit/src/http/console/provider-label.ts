// The names that are not their id with a capital letter.
const LABELS: Readonly<Record<string, string>> = {
  cognito: "Amazon Cognito",
  github: "GitHub",
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  line: "LINE",
  linkedin: "LinkedIn",
  paypal: "PayPal",
  tiktok: "TikTok",
  twitter: "X",
  vk: "VK",
  wechat: "WeChat",
}

/** Returns the name of a service to sign in with, as people write it. */
export function providerLabel(id: string): string {
  return LABELS[id] ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`
}
