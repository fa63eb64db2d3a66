import type { Device, DiagnosisConfig } from '@meridian/contracts'
import { named } from './names.ts'
import { byId, make, press } from './page.ts'
import { text } from './texts.ts'

type Acts = {
  bind: (serialNumber: string) => Promise<void>
  unbind: (serialNumber: string) => Promise<void>
  /** Stores a scan of a part of the body by this device, as its report. */
  scan: (device: Device, part: string) => Promise<void>
}

let acts: Acts | null = null
let bound: readonly Device[] = []

const chosenPart = () => byId('parts').querySelector<HTMLInputElement>('input:checked')?.value ?? ''

/** What the buttons of the devices do. */
export function watchDevices(wanted: Acts): void {
  acts = wanted
  byId('device-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const field = byId('serial')
    if (!(field instanceof HTMLInputElement)) return
    void wanted.bind(field.value.trim()).then(() => {
      field.value = ''
    })
  })
  byId('scan').addEventListener('click', () => {
    const [device] = bound
    if (device) void acts?.scan(device, chosenPart())
  })
}

/** The devices of this user; the one that was bound last is the one that scans and treats. */
export function showDevices(devices: readonly Device[], parts: DiagnosisConfig['body_parts']): void {
  bound = devices
  byId('scan-section').hidden = devices.length === 0
  byId('devices').replaceChildren(
    ...devices.map(({ serial_number: serialNumber, model }) =>
      make('li', 'order', [
        make('span', 'order-what', [make('code', '', serialNumber), make('span', '', model ?? '')]),
        make('span', 'device-acts', [
          press(text('unbind'), serialNumber, () => void acts?.unbind(serialNumber)),
        ]),
      ]),
    ),
  )
  const chosen = chosenPart()
  byId('parts').replaceChildren(...parts.map(({ name }, at) => partChoice(name, { at, chosen })))
}

function partChoice(name: string, { at, chosen }: { at: number; chosen: string }): HTMLElement {
  const radio = document.createElement('input')
  radio.type = 'radio'
  radio.name = 'part'
  radio.value = name
  radio.checked = chosen === '' ? at === 0 : name === chosen
  return make('label', 'chip', [radio, make('span', '', named(name))])
}
