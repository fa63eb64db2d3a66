import type { Device, DiagnosisConfig } from '@meridian/contracts'
import type { MeridianClient } from '@meridian/miniprogram-client'
import { readNow } from './clock-panel.ts'
import { showReport } from './reports-view.ts'
import { showNotice, showProblem } from './screen.ts'
import { showTab } from './tabs.ts'
import { text } from './texts.ts'
import { askTreatment } from './treatment-sheet.ts'
import { runTreatment } from './treatment-view.ts'
import type { keepUnsent } from './unsent.ts'
import { measureScan, measureTreatment, type Program } from './wearable.ts'

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
