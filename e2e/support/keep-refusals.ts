import type { Page, TestInfo } from '@playwright/test'

/** Collects what pages were refused, or never answered: where their journey fails, the report says it. */
export function keepRefusals() {
  const refusals: string[] = []
  return {
    watch: (page: Page) => {
      page.on('response', (response) => {
        if (response.status() >= 400) refusals.push(`${response.status()} ${response.url()}`)
      })
      page.on('requestfailed', (request) =>
        refusals.push(`${request.failure()?.errorText ?? 'failed'} ${request.url()}`),
      )
    },
    tell: async (test: TestInfo) => {
      if (test.status === test.expectedStatus || refusals.length === 0) return
      await test.attach('refusals', { body: refusals.join('\n'), contentType: 'text/plain' })
    },
  }
}
