import { byId } from './page.ts'
import { text } from './texts.ts'

type Play = {
  state: 'unavailable' | 'idle' | 'playing' | 'done' | 'failed'
  day: number
  days: number
  said: string
}

const readAgainMs = 2_000

let watching = false

function show({ state, day, days, said }: Play): void {
  byId('demo-section').hidden = state === 'unavailable' || state === 'idle'
  const words = {
    playing: text('demoPlaying', { day, days }),
    done: text('demoDone', { days }),
    failed: said,
  }
  byId('demo-state').textContent = state === 'unavailable' || state === 'idle' ? '' : words[state]
  const bar = byId('demo-bar')
  if (bar instanceof HTMLProgressElement) Object.assign(bar, { max: Math.max(1, days), value: day })
}

/** How far the sample data are that the console asked for; read again while they are played. */
export async function showDemo(): Promise<void> {
  const response = await fetch('/sandbox/demo').catch(() => null)
  if (!response?.ok) return
  const play: Play = await response.json()
  show(play)
  if (play.state !== 'playing' || watching) return
  watching = true
  setTimeout(() => {
    watching = false
    void showDemo()
  }, readAgainMs)
}
