import { named } from './names.ts'
import { byId, make, openDialog, showFacts } from './page.ts'
import { isTextName, text } from './texts.ts'
import type { Program } from './wearable.ts'

function inputAt(id: string): HTMLInputElement {
  const element = byId(id)
  if (element instanceof HTMLInputElement) return element
  throw new Error(`#${id} is no input`)
}

function waveOf({ waveform = '' }: Program): string {
  const name = `wave_${waveform}`
  return isTextName(name) ? text(name) : waveform
}

function fill(program: Program): void {
  const { frequency_hz = 0, pulse_width_us = 0, duration_minutes = 0 } = program
  byId('treatment-title').textContent = named(program.name)
  showFacts('treatment-facts', [
    [text('duration'), text('minutes', { minutes: duration_minutes })],
    [text('frequency'), text('hertz', { frequency: frequency_hz })],
    [text('pulseWidth'), text('microseconds', { width: pulse_width_us })],
    [text('waveform'), waveOf(program)],
  ])
  byId('contraindications').replaceChildren(
    ...program.contraindications.map((words) => make('li', '', named(words))),
  )
  const [slider, agree] = [inputAt('intensity'), inputAt('agree')]
  slider.min = `${program.intensity_min ?? 1}`
  slider.max = `${program.intensity_max ?? 1}`
  slider.value = `${program.intensity_default ?? 1}`
  byId('intensity-value').textContent = slider.value
  agree.checked = false
  byId('treatment-start').toggleAttribute('disabled', true)
}

/** What the program does, how strongly, and for whom it is not: the intensity when the user starts it, null when not. */
export function askTreatment(program: Program): Promise<number | null> {
  fill(program)
  const [slider, agree] = [inputAt('intensity'), inputAt('agree')]
  const close = openDialog(byId('treatment'), byId('treatment-title'))
  return new Promise((resolve) => {
    const answered = new AbortController()
    const until = { signal: answered.signal }
    const answer = (intensity: number | null) => {
      answered.abort()
      close()
      resolve(intensity)
    }
    const showIntensity = () => {
      byId('intensity-value').textContent = slider.value
    }
    slider.addEventListener('input', showIntensity, until)
    agree.addEventListener(
      'change',
      () => byId('treatment-start').toggleAttribute('disabled', !agree.checked),
      until,
    )
    byId('treatment-start').addEventListener('click', () => answer(slider.valueAsNumber), until)
    byId('treatment-cancel').addEventListener('click', () => answer(null), until)
    byId('treatment').addEventListener('keydown', ({ key }) => key === 'Escape' && answer(null), until)
  })
}
