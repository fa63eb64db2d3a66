import type { Browser, Page } from '@playwright/test'

/** Something an operator does, and how the page tells that it shows what it was done for. */
export type Act = {
  name: string
  /** Brings the page to where it is done, outside its time. */
  prepare: (page: Page) => Promise<void>
  act: (page: Page) => Promise<void>
  /** Which event begins it; or that another page is loaded whole. */
  begins: 'click' | 'keydown' | 'navigation'
  /** Runs in the page, whenever something in it has changed. */
  shown: (before: string) => boolean
}

type TraceEvent = {
  name: string
  cat: string
  ts: number
  dur?: number
  args?: { data?: { type?: string; isLoadingMainFrame?: boolean } }
}

const categories = ['devtools.timeline', 'blink.user_timing']
const contentMark = 'meridian-content'

/**
 * Does something once and reads from the browser's own trace how long it took, in milliseconds: from the event that
 * the page was given to the end of the first paint after its content was there.
 */
export async function traceAct(
  browser: Browser,
  page: Page,
  { name, act, begins, shown }: Act,
): Promise<number> {
  if (begins === 'navigation') await markInNextPage(page, shown)
  else await markWhenShown(page, shown)
  await browser.startTracing(page, { categories })
  await act(page)
  await page
    .waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, contentMark)
    .catch((cause: unknown) => {
      throw new Error(`${name}: ${page.url()} never showed it`, { cause })
    })
  // A page that is loaded whole paints nothing before the browser lets go of the one before it.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null)))),
  )
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8'))
  try {
    return clickToContent(traceEvents, begins)
  } catch (cause) {
    throw new Error(`${name} was not measured`, { cause })
  }
}

/** What the list shows first: what must be gone before a list shows something else. */
const firstLinkOfList = () => document.querySelector('tbody a')?.getAttribute('href') ?? ''

/** Runs in the page: marks the moment at which it first shows what is waited for. */
function watch(shown: Act['shown'], before: string, mark: string) {
  performance.clearMarks(mark)
  const observer = new MutationObserver(() => {
    if (!shown(before)) return
    observer.disconnect()
    performance.mark(mark)
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

// As one text: the page itself may make no function from a text, and a function cannot be handed over to it.
async function markWhenShown(page: Page, shown: Act['shown']): Promise<void> {
  const before = await page.evaluate(firstLinkOfList)
  await page.evaluate(`(${watch})(${shown}, ${JSON.stringify(before)}, ${JSON.stringify(contentMark)})`)
}

/** Watches from the first moment of the page that is loaded next. */
async function markInNextPage(page: Page, shown: Act['shown']): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  const source = `(${watch})(${shown}, '', ${JSON.stringify(contentMark)})`
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source })
  page.once('load', () => void session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }))
}

function beginningOf(events: readonly TraceEvent[], begins: Act['begins']): TraceEvent | undefined {
  if (begins === 'navigation')
    return events.find(({ name, args }) => name === 'navigationStart' && args?.data?.isLoadingMainFrame)
  return events.find(({ name, args }) => name === 'EventDispatch' && args?.data?.type === begins)
}

function clickToContent(events: readonly TraceEvent[], begins: Act['begins']): number {
  const begun = beginningOf(events, begins)
  const mark = events.find(({ name }) => name === contentMark)
  const painted = events
    .filter(({ name, ts }) => name === 'Paint' && mark !== undefined && ts >= mark.ts)
    .sort((one, other) => one.ts - other.ts)[0]
  if (!begun || !mark || !painted) {
    const missing = !begun ? begins : mark ? 'the paint' : 'the mark'
    throw new Error(`the trace does not hold ${missing}`)
  }
  return (painted.ts + (painted.dur ?? 0) - begun.ts) / 1000
}
