import { named } from './names.ts'
import { byId, make, press } from './page.ts'
import { isTextName, type TextName, text, yuan } from './texts.ts'

type Item = { id: string; priceFen: number; publishedAt: string | null }
type Payment = {
  number: string
  description: string
  amountFen: number
  byApple: boolean
  leftFen: number
}
type Delivery = { status: number | null }
type Opinion = { opinion: { result_code: 0 | 1 } | null }

/** Who holds the phone, and what is shown again after something was done. */
type Panel = { user: string; refresh: () => Promise<void> }

const events = ['risk', 'coins', 'foreign'] as const

async function send<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.message}`)
  return answer
}

const say = (words: string) => {
  byId('virtual-word').textContent = words
}

/** Does it, says what came of it, and shows everything anew. */
async function act(panel: Panel, work: () => Promise<string>): Promise<void> {
  say('…')
  try {
    say(await work())
  } catch (error) {
    say(error instanceof Error ? error.message : text('unreachable'))
  }
  await panel.refresh()
}

const toldBy = async (deliveries: Promise<Delivery[]>) =>
  text('pushed', { status: (await deliveries).at(-1)?.status ?? text('unanswered') })

async function setPrice(id: string, priceFen: number): Promise<string> {
  await send('/sandbox/virtual/item', { id, priceFen })
  return text('itemChanged', { id, price: yuan(priceFen) })
}

const fenOf = (field: HTMLInputElement) => Math.round(field.valueAsNumber * 100)

function itemRow(item: Item, panel: Panel): HTMLElement {
  const price = document.createElement('input')
  Object.assign(price, { type: 'number', min: '0.01', step: '0.01', required: true })
  price.value = (item.priceFen / 100).toFixed(2)
  price.ariaLabel = text('itemPrice', { id: item.id })
  const change = make('button', 'quiet', text('changePrice'))
  change.ariaLabel = `${text('changePrice')} ${item.id}`
  const row = make('form', 'row', [make('code', '', item.id), price, change])
  row.addEventListener('submit', (event) => {
    event.preventDefault()
    void act(panel, () => setPrice(item.id, fenOf(price)))
  })
  return row
}

const actsOf = ({ number, byApple, leftFen }: Payment, panel: Panel): Node[] => {
  const one = (name: TextName, work: () => Promise<string>) =>
    press(text(name), number, () => void act(panel, work))
  const apple = [
    one('appleAsks', async () => heard(await send<Opinion>('/sandbox/virtual/apple-inquiry', { number }))),
    one('appleRefund', async () => {
      await send('/sandbox/virtual/apple-refund', { number })
      return text('appleRefunded')
    }),
  ]
  return [
    ...(byApple && leftFen > 0 ? apple : []),
    one('complain', () => toldBy(send('/sandbox/virtual/push-event', { kind: 'complaint', number }))),
    one('pushAgain', () => toldBy(send('/sandbox/virtual/push-again', { number }))),
  ]
}

function heard({ opinion }: Opinion): string {
  if (opinion === null) return text('appleHeardNothing')
  const said = text(opinion.result_code === 0 ? 'opinionPass' : 'opinionRefuse')
  return text('appleHeard', { opinion: said })
}

const paymentRow = (payment: Payment, panel: Panel): HTMLElement =>
  make('li', '', [
    make('span', 'order-head', [
      make('b', '', `${named(payment.description)} ${yuan(payment.amountFen)}`),
      make('span', 'tag', text(tagOf(payment))),
    ]),
    make('code', '', payment.number),
    make('span', 'order-acts', actsOf(payment, panel)),
  ])

function tagOf({ byApple, leftFen }: Payment): TextName {
  if (leftFen === 0) return 'refundedTag'
  return byApple ? 'payBy_apple' : 'payBy_virtual'
}

/** Items as the platform has them now, and the payments of whoever holds the phone. */
export async function showVirtual(panel: Panel): Promise<void> {
  const items: Item[] = await fetch('/sandbox/virtual/items').then((answer) => answer.json())
  const payments = await send<Payment[]>('/phone/virtual-payments', { user: panel.user })
  byId('items-count').textContent = `${items.length}`
  byId('items').replaceChildren(...items.map((item) => itemRow(item, panel)))
  byId('payments-count').textContent = payments.length > 0 ? `${payments.length}` : ''
  byId('no-payments').hidden = payments.length > 0
  byId('payments').replaceChildren(...payments.toReversed().map((payment) => paymentRow(payment, panel)))
  byId('events').replaceChildren(...events.map((kind) => eventButton(kind, panel)))
}

function eventButton(kind: (typeof events)[number], panel: Panel): HTMLElement {
  const made = make('button', 'quiet', text(`event_${kind}`))
  made.addEventListener(
    'click',
    () => void act(panel, () => toldBy(send('/sandbox/virtual/push-event', { kind }))),
  )
  return made
}

/** What the form for a new item does. */
export function watchVirtual(panel: Panel): void {
  const [id, price] = [byId('new-item-id'), byId('new-item-price')]
  byId('new-item').addEventListener('submit', (event) => {
    event.preventDefault()
    if (!(id instanceof HTMLInputElement && price instanceof HTMLInputElement)) return
    const [wanted, fen] = [id.value, fenOf(price)]
    void act(panel, () => setPrice(wanted, fen))
    id.value = ''
  })
}

/** Why a sheet did not open, in words where its number is one of those that a sandbox shows. */
export function refusalText(code: number): string {
  const name = `sheet_${code}`
  return text('sheetRefused', { code, reason: text(isTextName(name) ? name : 'sheetOther') })
}
