import { isIPv4, isIPv6 } from "node:net"
import type { IncomingCall } from "../../ports/http.ts"

const IPV6_GROUPS = 8
const NETWORK_GROUPS = 4
const MAPPED_IPV4 = "0:0:0:0:0:ffff"

/** Finds the IP addresses of callers. */
export interface CallerAddresses {
  /**
   * Returns the IP address by which limits count the caller; for IPv6, the /64 network. Undefined if the address is
   * unknown.
   */
  countedAddressOf(call: IncomingCall): string | undefined
  /** Returns the caller's IP address as the host or the proxy reported it. Undefined if the address is unknown. */
  callerAddress(call: IncomingCall): string | undefined
}

export function callerAddresses(trustedProxies: number): CallerAddresses {
  return {
    countedAddressOf: (call) => countedCallerAddress(call, trustedProxies),
    callerAddress: (call) => callerAddress(call, trustedProxies),
  }
}

/**
 * Returns the key by which limits count the caller: the IPv4 address, or the /64 network of an IPv6 address, because
 * one customer has the whole network. All spellings of an address give the same key. Undefined if the address is
 * unknown.
 */
export function countedCallerAddress(call: IncomingCall, trustedProxies: number): string | undefined {
  return countedAddress(callerAddress(call, trustedProxies) ?? "")
}

// Returns the caller's IP address as the host or the proxy reported it. Undefined if the address is unknown.
function callerAddress(call: IncomingCall, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies > 0 ? forwardedAddress(call, trustedProxies) : ""
  return countedAddress(forwarded) === undefined ? call.peerAddress : forwarded
}

// Returns the caller's IP address from X-Forwarded-For. Each proxy appends the address of its peer, so entries to the
// left of those that the app's own proxies added may be forged.
function forwardedAddress({ headers }: IncomingCall, trustedProxies: number): string {
  const seen = headers.get("x-forwarded-for")?.split(",") ?? []
  return withoutPort(seen.at(-trustedProxies)?.trim() ?? "")
}

// Removes the port, which some proxies write after the IP address: 192.0.2.1:443 or [2001:db8::1]:443.
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

/** Returns the key by which limits count an IP address. Returns undefined if the text is not an IP address. */
export function countedAddress(text: string): string | undefined {
  const [address = ""] = text.split("%", 1)
  if (isIPv4(address)) return address
  return isIPv6(address) ? networkOf(groupsOf(address)) : undefined
}

function networkOf(groups: readonly string[]): string {
  const [high = "0", low = "0"] = groups.slice(-2)
  if (groups.slice(0, -2).join(":") === MAPPED_IPV4) return [...bytesOf(high), ...bytesOf(low)].join(".")
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`
}

function bytesOf(group: string): [number, number] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}

// Returns all eight groups of a valid IPv6 address, without leading zeros and in lower case.
function groupsOf(address: string): string[] {
  const [left = "", right] = withHexTail(address).split("::")
  const head = splitGroups(left)
  const tail = splitGroups(right ?? "")
  const zeros = Array.from({ length: IPV6_GROUPS - head.length - tail.length }, () => "0")
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}

function splitGroups(text: string): string[] {
  return text === "" ? [] : text.split(":")
}

// Rewrites the last four bytes of an IPv6 address as hexadecimal groups if they are written as in IPv4.
function withHexTail(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_tail, ...bytes: string[]) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes.slice(0, 4).map(Number)
    return `${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`
  })
}
