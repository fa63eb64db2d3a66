import type { Page } from '@playwright/test'

/**
 * Waits until React listens to the page: it marks the document with a property `__reactContainer$…` when it begins to
 * hydrate, and each element with `__reactProps$…` when it has come to it; from then on no press is lost. What is no page
 * of the console waits for nothing.
 */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isMarked = (node: object, mark: string) => Object.keys(node).some((key) => key.startsWith(mark))
    if (document.querySelector('script[src*="/_next/"]') === null) return true
    const buttons = [...document.querySelectorAll('main button')]
    return isMarked(document, '__reactContainer$') && buttons.every((one) => isMarked(one, '__reactProps$'))
  })
}

/** A page whose `goto` comes back when the page can be used, unless it is asked to come back at the first byte. */
export function usable(page: Page): Page {
  const goto: Page['goto'] = async (url, options) => {
    const response = await page.mainFrame().goto(url, options)
    if (options?.waitUntil !== 'commit') await untilAlive(page)
    return response
  }
  return Object.assign(page, { goto })
}
