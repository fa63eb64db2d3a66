import { byId } from './page.ts'
import { clockTime, dayAndTime, text } from './texts.ts'

type Clock = { now: string; movable: boolean }

/** What is shown again after each day that passed. */
type Watcher = () => Promise<void>

async function askClock(request: RequestInit = {}): Promise<Clock> {
  const response = await fetch('/phone/clock', request)
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.message}`)
  return answer
}

const moveClock = (span: { days: number } | { hours: number }) =>
  askClock({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(span),
  })

let shown: Clock | null = null

function show(progress?: string): void {
  byId('clock-now').textContent = shown === null ? '' : dayAndTime(shown.now)
  if (shown) byId('phone-time').textContent = clockTime(shown.now)
  if (progress !== undefined) byId('clock-progress').textContent = progress
  byId('clock-acts').hidden = shown?.movable !== true
  byId('clock-stands').hidden = shown?.movable !== false
}

/** The sandbox's own now: what its phones take for today. */
export async function readNow(): Promise<Date> {
  await showClock()
  return new Date(shown?.now ?? Date.now())
}

/** Whether the clock of this sandbox can be moved at all. */
export const canPass = (): boolean => shown?.movable === true

/** Lets minutes pass, for everybody. */
export async function passMinutes(minutes: number): Promise<void> {
  shown = await moveClock({ hours: minutes / 60 })
  show()
}

/** Reads the clock, also after the language was changed. */
export async function showClock(): Promise<void> {
  shown = await askClock().catch(() => null)
  show()
}

/** Lets days pass one by one, so that everybody sees each of them. */
async function pass(days: number, watcher: Watcher): Promise<void> {
  const form = byId('clock-acts')
  form.inert = true
  try {
    for (let day = 1; day <= days; day += 1) {
      show(text('clockPassing', { day, days }))
      shown = await moveClock({ days: 1 })
    }
    show(text('clockPassed', { days }))
  } catch (error) {
    show(error instanceof Error ? error.message : text('unreachable'))
  } finally {
    form.inert = false
    await watcher()
  }
}

/** What the buttons of the clock do. */
export function watchClock(watcher: Watcher): void {
  const field = byId('clock-days')
  byId('clock-acts').addEventListener('submit', (event) => {
    event.preventDefault()
    if (field instanceof HTMLInputElement) void pass(field.valueAsNumber, watcher)
  })
}
