import { named } from './names.ts'
import { byId, openDialog } from './page.ts'
import { type TextName, text, yuan } from './texts.ts'

/** What the payer is shown. */
export type SheetContents = { outTradeNo: string; description: string; amountFen: number }

/** Whose sheet it is: WeChat Pay's, that of virtual payment, or on an iPhone Apple's. */
export type SheetKind = 'jsapi' | 'virtual' | 'apple'

type Words = { title: TextName; seller: TextName | null; method: TextName; confirm: TextName }
const words: Record<SheetKind, Words> = {
  jsapi: { title: 'confirmPayment', seller: null, method: 'balance', confirm: 'confirmAmount' },
  virtual: {
    title: 'virtualTitle',
    seller: 'virtualSeller',
    method: 'virtualMethod',
    confirm: 'confirmAmount',
  },
  apple: { title: 'appleTitle', seller: 'appleSeller', method: 'appleMethod', confirm: 'appleConfirm' },
}

function fill({ outTradeNo, description, amountFen }: SheetContents, kind: SheetKind): void {
  const { title, seller, method, confirm } = words[kind]
  byId('sheet').setAttribute('data-kind', kind)
  byId('sheet-title').textContent = text(title)
  byId('sheet-seller').hidden = seller === null
  byId('sheet-seller').textContent = seller && text(seller)
  byId('sheet-method').textContent = text(method)
  byId('sheet-what').textContent = named(description)
  byId('sheet-amount').textContent = yuan(amountFen)
  byId('sheet-order').textContent = outTradeNo
  byId('sheet-confirm').textContent = text(confirm, { price: yuan(amountFen) })
}

/** Shows the sheet; true when the user confirms. */
export function askPayer(contents: SheetContents, kind: SheetKind): Promise<boolean> {
  fill(contents, kind)
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
