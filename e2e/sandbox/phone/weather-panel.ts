import { byId, make } from './page.ts'
import { type TextName, text } from './texts.ts'

type Rule = { kind: string; at: string; ms?: number; status?: number }
type Weather = { name: string; label: TextName; rules: Rule[] }

const atNotification = (kind: string): Rule => ({ kind, at: 'notification' })

const weathers: Weather[] = [
  { name: 'drop', label: 'weatherDrop', rules: [atNotification('drop')] },
  { name: 'delay', label: 'weatherDelay', rules: [{ ...atNotification('delay'), ms: 5_000 }] },
  { name: 'duplicate', label: 'weatherDuplicate', rules: [atNotification('duplicate')] },
  { name: 'wrong-amount', label: 'weatherWrongAmount', rules: [atNotification('wrong_amount')] },
  {
    name: 'down',
    label: 'weatherDown',
    rules: ['prepay', 'query', 'close'].map((at) => ({ kind: 'error_before', at, status: 503 })),
  },
]

const same = (one: Rule, other: Rule) => one.kind === other.kind && one.at === other.at

/** Switches that stay as the sandbox has them, also after a reload or when a test has set the weather. */
export async function showWeather(): Promise<void> {
  const response = await fetch('/sandbox/weather')
  const rules: Rule[] = await response.json()
  const switches = weathers.map((weather) => {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.role = 'switch'
    box.name = weather.name
    box.checked = weather.rules.every((wanted) => rules.some((rule) => same(rule, wanted)))
    box.addEventListener('change', () => void setWeather())
    return make('label', 'switch', [box, make('span', '', text(weather.label))])
  })
  byId('weather').replaceChildren(...switches)
}

async function setWeather(): Promise<void> {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('#weather input:checked')]
  const rules = weathers
    .filter(({ name }) => boxes.some((box) => box.name === name))
    .flatMap(({ rules }) => rules)
  await fetch('/sandbox/weather', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  })
}
