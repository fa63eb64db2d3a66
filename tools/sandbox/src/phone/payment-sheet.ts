import { named } from './names.ts'
import { byId, openDialog } from './page.ts'
import { text, yuan } from './texts.ts'

/** What the payer is shown. */
export type SheetContents = { outTradeNo: string; description: string; amountFen: number }

/** WeChat's payment sheet; true when the user confirms. */
export function ask({ outTradeNo, description, amountFen }: SheetContents): Promise<boolean> {
  byId('sheet-what').textContent = named(description)
  byId('sheet-amount').textContent = yuan(amountFen)
  byId('sheet-order').textContent = outTradeNo
  byId('sheet-confirm').textContent = text('confirmAmount', { price: yuan(amountFen) })
  const close = openDialog(byId('sheet'), byId('sheet-confirm'))
  return new Promise((resolve) => {
    const answered = new AbortController()
    const answer = (confirmed: boolean) => {
      answered.abort()
      close()
      resolve(confirmed)
    }
    const until = { signal: answered.signal }
    byId('sheet-confirm').addEventListener('click', () => answer(true), until)
    byId('sheet-cancel').addEventListener('click', () => answer(false), until)
    byId('sheet').addEventListener('keydown', (event) => event.key === 'Escape' && answer(false), until)
  })
}
