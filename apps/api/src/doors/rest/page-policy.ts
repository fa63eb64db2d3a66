import { createHash } from 'node:crypto'

/** Names what stands in a page itself, so that it runs and nothing else does (CSP 3, hash sources). */
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (allowed: Record<string, string>) =>
  Object.entries({
    'default-src': `'none'`,
    ...allowed,
    'object-src': `'none'`,
    'base-uri': `'none'`,
    'form-action': `'none'`,
    'frame-ancestors': `'none'`,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/** For a page that has one style and no script. */
export const styledPagePolicy = (style: string): string => policyOf({ 'style-src': sourceOf(style) })

/**
 * For the page that browses the document: its program comes from here, is started by the one script that stands in the
 * page, writes styles as it goes and asks this API alone. The page repeats nothing of a request, so that script is ours.
 */
export function browsingPagePolicy(page: string): string {
  const [, script = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page) ?? []
  return policyOf({
    'script-src': `'self' ${sourceOf(script)}`,
    'style-src': `'unsafe-inline'`,
    'img-src': `'self' data:`,
    'connect-src': `'self'`,
  })
}
