/** Carries the path of the page being made from the proxy to the page. */
export const PATH_HEADER = 'x-meridian-path'

/** A base no real page lives on: whatever leaves it was not a path of ours. */
const NOWHERE = 'http://console.invalid'

/** Where to go after signing in: a path of this console, or the given home when the text is anything else. */
export function safeReturnPath(text: string | null | undefined, home: string): string {
  if (!text?.startsWith('/') || !URL.canParse(text, NOWHERE)) return home
  const url = new URL(text, NOWHERE)
  if (url.origin !== NOWHERE || url.pathname.startsWith('/api/') || url.pathname === '/sign-in') return home
  return `${url.pathname}${url.search}`
}
