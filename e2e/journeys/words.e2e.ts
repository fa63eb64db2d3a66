import { show } from '../support/console-pages.ts'
import { slipFinder } from '../support/find-slips.ts'
import { expect, test } from '../support/journey.ts'
import { readTexts } from '../support/read-texts.ts'
import { world } from '../support/world.ts'

test('a raw key, code, unit, value, number, time or schedule on a page is found', async ({ operator }) => {
  await show(operator, world().consoleUrl, { name: 'account', path: '/account' })
  const slipsIn = await slipFinder('zh-CN')
  const planted = [
    'orders.statuses.paid',
    'order_parked',
    'BANK_CARD',
    't_ms',
    'TRANSACTION.SUCCESS',
    'frequencyMax',
    'true',
    'null',
    '[]',
    '{}',
    '0.8195683361576652',
    '2026-11-20T14:30:00Z',
    '14:30 UTC',
    '*/5 * * * *',
    'Not a word of Chinese',
  ]
  const texts = await operator.evaluate((planted) => {
    for (const text of planted) {
      const slip = document.createElement('p')
      slip.textContent = text
      document.querySelector('main')?.append(slip)
    }
    const raw = document.createElement('code')
    raw.dataset['raw'] = ''
    raw.textContent = 'RAW_ON_PURPOSE'
    document.querySelector('main')?.append(raw)
    return planted
  }, planted)
  const found = slipsIn(await readTexts(operator, 'body'))
  expect(found.map((slip) => slip.slice(slip.indexOf(': ') + 2))).toEqual(texts)
})
