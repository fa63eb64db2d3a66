import type { Device, DiagnosisConfig } from '@meridian/contracts'
import type { MeridianClient } from '@meridian/miniprogram-client'
import { readNow } from './clock-panel.ts'
import { named } from './names.ts'
import { byId, make, openDialog, showFacts } from './page.ts'
import { showReport } from './reports-view.ts'
import { showNotice, showProblem } from './screen.ts'
import { showTab } from './tabs.ts'
import { isTextName, text } from './texts.ts'
import { runTreatment } from './treatment-view.ts'
import type { keepUnsent } from './unsent.ts'
import { measureScan, measureTreatment, type Program } from './wearable.ts'

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
function askTreatment(program: Program): Promise<number | null> {
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

type Surroundings = {
  unsent: ReturnType<typeof keepUnsent>
  attempt: (work: () => Promise<void>) => Promise<void>
  /** Reads again what may have changed, and shows it. */
  reload: () => Promise<void>
  client: () => MeridianClient
  shown: () => { devices: readonly Device[]; config: DiagnosisConfig | null }
}

export type Care = ReturnType<typeof openCare>

const scanMs = 6_000

/** What a user does with a wearable: binds it, scans, and treats. */
export function openCare({ unsent, attempt, reload, client, shown }: Surroundings) {
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await reload()
    })
  const send = async () => {
    try {
      return await unsent.send(client().reports.store)
    } finally {
      await reload()
    }
  }
  const scan = ({ serial_number }: Device, part: string) =>
    attempt(async () => {
      const endedAt = await readNow()
      const startedAt = new Date(endedAt.getTime() - scanMs)
      unsent.keep({
        ...{ kind: 'scan', serial_number, ...measureScan(part) },
        ...{ started_at: startedAt.toISOString(), ended_at: endedAt.toISOString() },
      })
      const report = await send()
      showNotice(text(report?.locked ? 'scannedLocked' : 'scanned'))
    })
  const treat = async (program: Program, serialNumber: string) => {
    const part = shown().config?.body_parts.find(({ code }) => code === program.body_part)?.name ?? ''
    const intensity = await askTreatment(program)
    if (intensity === null) return
    const treatment = await runTreatment({ program, part, intensity, serialNumber })
    unsent.keep({
      ...{ kind: 'treatment', serial_number: serialNumber, program_code: program.code },
      ...{ started_at: treatment.startedAt.toISOString(), ended_at: treatment.endedAt.toISOString() },
      ...measureTreatment(treatment),
    })
    const report = await send()
    showTab('reports')
    showNotice(text('treated'))
    if (report) showReport(await client().reports.get(report.id))
  }
  return {
    bind: (serialNumber: string) => change(() => client().devices.bind({ serial_number: serialNumber })),
    unbind: (serialNumber: string) => change(() => client().devices.unbind(serialNumber)),
    scan,
    /** Leads to the plans where the program takes a subscription. */
    start: (program: Program): void => {
      const [device] = shown().devices
      if (program.locked) showTab('shop')
      else if (device === undefined) showProblem(text('bindFirst'))
      else void attempt(() => treat(program, device.serial_number))
    },
  }
}
