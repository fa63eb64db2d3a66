import type { Page, Request } from '@playwright/test'

const watched = new WeakMap<Page, Set<Request>>()

/**
 * What the page has asked for and has not got yet, of all that it asks for from now on. What a document that was left had
 * asked for does not count: it may never end.
 */
function underWay(page: Page): Set<Request> {
  const known = watched.get(page)
  if (known) return known
  const requests = new Set<Request>()
  watched.set(page, requests)
  page.on('request', (request) => {
    if (request.isNavigationRequest()) requests.clear()
    requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return requests
}

/** Begins to keep in mind what the page asks for. */
export const watchRequests = (page: Page): void => void underWay(page)

/**
 * Waits until nothing that the page has asked for is on its way, and the two frames after the last answer have led to no
 * further question: what a script that has just come shows is drawn in the first, and what that asks for is asked after it.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const requests = underWay(page)
  do {
    while (requests.size > 0) await nextEnd(page)
    for (let frame = 0; frame < 2; frame += 1)
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  } while (requests.size > 0)
}

/** Registered after ours, a listener hears of an end when the request is no longer counted. */
const nextEnd = (page: Page): Promise<void> =>
  new Promise((done) => {
    const hear = () => {
      page.off('requestfinished', hear)
      page.off('requestfailed', hear)
      done()
    }
    page.on('requestfinished', hear)
    page.on('requestfailed', hear)
  })
