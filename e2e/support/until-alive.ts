import type { Page } from '@playwright/test'

/**
 * Waits until React listens to the page: it marks the document with a property `__reactContainer$…` when it begins to
 * hydrate, and each element with `__reactProps$…` when it has come to it; from then on no press is lost. What is no page
 * of the console waits for nothing.
 */
export async function untilAlive(page: Page): Promise<void> {
  // No function in it has a name: the compiler that runs the screenshots would ask the page for a helper of its own.
  await page.waitForFunction(() => {
    if (document.querySelector('script[src*="/_next/"]') === null) return true
    const buttons = [...document.querySelectorAll('main button')]
    const marks: [object, string][] = [[document, '__reactContainer$']]
    for (const button of buttons) marks.push([button, '__reactProps$'])
    return marks.every(([node, mark]) => Object.keys(node).some((key) => key.startsWith(mark)))
  })
  // What listens to keys is set up after the paint that follows.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
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
