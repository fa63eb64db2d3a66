/** Whether the browser speaks to the console over TLS. */
export const isSecure = (consoleUrl: string): boolean => consoleUrl.startsWith('https:')

/**
 * What a cookie of the console is called. `__Host-` makes the browser itself insist on Secure, on our host and on the root
 * path; without TLS it takes no such cookie (ASVS 3.3.1, 3.3.3).
 */
export const cookieName = (name: string, consoleUrl: string): string =>
  isSecure(consoleUrl) ? `__Host-${name}` : name
