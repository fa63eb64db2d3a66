import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'

const quietMs = 500

/** What comes to a page over the wire, whether it is loaded whole or asks for more by itself. */
export async function watchNetwork(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Page.enable')
  /** By which page each was asked. */
  const open = new Map<string, string>()
  let [bytes, changedAt] = [0, performance.now()]
  const end = (requestId: string) => {
    open.delete(requestId)
    changedAt = performance.now()
  }
  session.on('Network.requestWillBeSent', ({ requestId, loaderId }) => {
    open.set(requestId, loaderId)
    changedAt = performance.now()
  })
  // What a page asked for that was left may never be told to have ended.
  session.on('Page.frameNavigated', ({ frame }) => {
    for (const [requestId, loaderId] of open) if (loaderId !== frame.loaderId) open.delete(requestId)
  })
  session.on('Network.loadingFailed', ({ requestId }) => end(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    end(requestId)
  })
  return {
    /** How much until now, headers too; what the browser kept does not count. */
    received: () => bytes,
    /** Waits until it has asked for nothing for half a second. */
    async quiet() {
      while (open.size > 0 || performance.now() - changedAt < quietMs) await pause(50)
    },
  }
}
