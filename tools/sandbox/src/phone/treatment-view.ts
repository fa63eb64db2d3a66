import { canPass, passMinutes, readNow } from './clock-panel.ts'
import { named } from './names.ts'
import { byId, openDialog } from './page.ts'
import { text } from './texts.ts'
import type { Program, Treatment } from './wearable.ts'

type Running = { program: Program; part: string; intensity: number; serialNumber: string }

const minuteMs = 60_000

const inMinutes = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`
}

function fill({ program, intensity, serialNumber }: Running): void {
  byId('running-title').textContent = named(program.name)
  byId('running-device').textContent = text('runsOn', { device: serialNumber })
  byId('running-words').textContent = text('runsAt', { intensity })
  byId('running-note').textContent = ''
  byId('pass-treatment').hidden = !canPass()
}

/** Shows how much is left, and calls back when nothing is. Answers how to stop that. */
function countDown(wholeMs: number, onEnd: () => void): () => void {
  const startedAt = performance.now()
  const show = () => {
    const leftMs = wholeMs - (performance.now() - startedAt)
    byId('running-left').textContent = inMinutes(leftMs)
    byId('ring').style.setProperty('--done', `${Math.min(1, 1 - leftMs / wholeMs)}`)
    if (leftMs <= 0) onEnd()
  }
  show()
  const timer = setInterval(show, 500)
  return () => clearInterval(timer)
}

/** Waits until the treatment is over: by itself, by the sandbox's clock that is moved to its end, or stopped. */
function untilOver(minutes: number): Promise<void> {
  const over = new AbortController()
  const until = { signal: over.signal }
  return new Promise((resolve) => {
    const end = () => {
      over.abort()
      stopCounting()
      resolve()
    }
    const stopCounting = countDown(minutes * minuteMs, end)
    const pass = async () => {
      byId('running-note').textContent = text('passing', { minutes })
      byId('running').ariaBusy = 'true'
      try {
        await passMinutes(minutes)
        end()
      } catch (error) {
        byId('running-note').textContent = error instanceof Error ? error.message : text('unreachable')
      } finally {
        byId('running').ariaBusy = null
      }
    }
    byId('pass-treatment').addEventListener('click', () => void pass(), until)
    byId('stop-treatment').addEventListener('click', end, until)
  })
}

/** Runs a program on the wearable. Answers what was done, by the sandbox's clock. */
export async function runTreatment(running: Running): Promise<Treatment> {
  const { program, part, intensity } = running
  const startedAt = await readNow()
  fill(running)
  const close = openDialog(byId('running'), byId('running-title'))
  try {
    await untilOver(program.duration_minutes ?? 0)
  } finally {
    close()
  }
  return { program, part, intensity, startedAt, endedAt: await readNow() }
}
