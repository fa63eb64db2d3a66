import type { FaultKind, FaultPlace, FaultRule } from '@meridian/payments/testing'
import { faultWords } from './fault-words.ts'
import { byId, make } from './page.ts'
import { language, text } from './texts.ts'

type Faults = { group: Group; at: readonly FaultPlace[]; ms?: number; status?: number }

const groups = ['notice', 'content', 'answer', 'refund', 'program'] as const
type Group = (typeof groups)[number]

const notice: Faults = { group: 'notice', at: ['notification'] }
const content: Faults = { group: 'content', at: ['notification'] }
const answer: Faults = { group: 'answer', at: ['prepay', 'query', 'close'] }
const refund: Faults = { group: 'refund', at: ['refund'] }
const program: Faults = { group: 'program', at: ['mini_program'] }

/** Every fault the platform knows: where it is switched, and what it strikes then. */
const faultChoices: Record<FaultKind, Faults> = {
  drop: notice,
  delay: { ...notice, ms: 5_000 },
  duplicate: notice,
  reorder: notice,
  probe: notice,
  corrupt_byte: notice,
  wrong_key: notice,
  unknown_serial: notice,
  clock_skew: notice,
  wrong_amount: content,
  wrong_currency: content,
  wrong_app_id: content,
  wrong_mch_id: content,
  wrong_payer: content,
  error_before: { ...answer, status: 503 },
  error_after: answer,
  rate_limited: answer,
  html: answer,
  unsigned: answer,
  refund_abnormal: refund,
  refund_closed: refund,
  token_expired: program,
  not_subscribed: program,
  shipping_not_ready: program,
}

const isKind = (name: string): name is FaultKind => Object.hasOwn(faultChoices, name)

const kindsOf = (wanted: Group): FaultKind[] =>
  Object.keys(faultChoices)
    .filter(isKind)
    .filter((kind) => faultChoices[kind].group === wanted)

function rulesOf(kind: FaultKind): FaultRule[] {
  const { at, ms, status } = faultChoices[kind]
  return at.map((place) => ({ kind, at: place, ms, status }))
}

const isSwitchedOn = (rules: readonly FaultRule[], kind: FaultKind): boolean =>
  faultChoices[kind].at.every((place) => rules.some((rule) => rule.kind === kind && rule.at === place))

const switchedOn = (within: ParentNode): FaultKind[] =>
  [...within.querySelectorAll<HTMLInputElement>('input:checked')].map(({ name }) => name).filter(isKind)

/** Switches that stay as the sandbox has them, also after a reload or when a test has injected faults. */
export async function showFaults(): Promise<void> {
  const response = await fetch('/sandbox/weather')
  const rules: FaultRule[] = await response.json()
  const before = [...byId('faults').querySelectorAll<HTMLDetailsElement>(':scope > details')]
  const shown = groups.map((group, index) => {
    const switches = kindsOf(group).map((kind) => switchOf(kind, isSwitchedOn(rules, kind)))
    const count = make('span', 'count')
    const details = document.createElement('details')
    details.append(make('summary', '', [make('span', '', text(`faults_${group}`)), count]), ...switches)
    const recount = () => {
      const on = switchedOn(details).length
      count.textContent = on > 0 ? text('faultsOn', { count: on }) : ''
    }
    recount()
    details.addEventListener('change', recount)
    details.open = before[index]?.open ?? (group === 'notice' || count.textContent !== '')
    return details
  })
  byId('faults').replaceChildren(...shown)
}

function switchOf(kind: FaultKind, on: boolean): HTMLElement {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.role = 'switch'
  box.name = kind
  box.checked = on
  const { name, phone, console } = faultWords[language()][kind]
  const seen = document.createElement('details')
  seen.className = 'seen'
  seen.open = on
  const words = make('p', '', [
    make('b', '', text('seenOnPhone')),
    make('span', '', phone),
    make('b', '', text('seenInConsole')),
    make('span', '', console),
  ])
  words.id = `seen-${kind}`
  box.setAttribute('aria-describedby', words.id)
  box.addEventListener('change', () => {
    seen.open = box.checked
    void setFaults()
  })
  seen.append(make('summary', '', text('whatIsSeen')), words)
  return make('div', 'fault', [make('label', 'switch', [box, make('span', '', name)]), seen])
}

async function setFaults(): Promise<void> {
  await fetch('/sandbox/weather', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switchedOn(byId('faults')).flatMap(rulesOf)),
  })
}
