import type { FaultRule } from '@meridian/payments/testing'
import { orderOfFault } from './fault-order.ts'
import { type FaultSwitch, groups, isSwitch, isSwitchedOn, rulesOf, switchesOf } from './fault-switches.ts'
import { faultWords } from './fault-words.ts'
import { byId, make } from './page.ts'
import { language, text } from './texts.ts'

const switchedOn = (within: ParentNode): FaultSwitch[] =>
  [...within.querySelectorAll<HTMLInputElement>('input:checked')].map(({ name }) => name).filter(isSwitch)

/** Switches that stay as the sandbox has them, also after a reload or when a test has injected faults. */
export async function showFaults(): Promise<void> {
  const response = await fetch('/sandbox/weather')
  const rules: FaultRule[] = await response.json()
  const before = [...byId('faults').querySelectorAll<HTMLDetailsElement>(':scope > details')]
  const shown = groups.map((group, index) => {
    const switches = switchesOf(group).map((kind) => switchOf(kind, isSwitchedOn(rules, kind)))
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

function switchOf(kind: FaultSwitch, on: boolean): HTMLElement {
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
  seen.append(make('summary', '', text('whatIsSeen')), words, orderOfFault())
  return make('div', 'fault', [make('label', 'switch', [box, make('span', '', name)]), seen])
}

async function setFaults(): Promise<void> {
  await fetch('/sandbox/weather', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switchedOn(byId('faults')).flatMap(rulesOf)),
  })
}
