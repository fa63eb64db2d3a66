import type { Device } from '@meridian/contracts'
import { byId, make } from './page.ts'
import { text } from './texts.ts'

type Acts = {
  bind: (serialNumber: string) => Promise<void>
  unbind: (serialNumber: string) => Promise<void>
  /** Stores a scan of this device, as its report. */
  scan: (device: Device) => Promise<void>
}

let acts: Acts | null = null

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
}

function button(name: string, serialNumber: string, press: () => void): HTMLElement {
  const made = make('button', 'quiet small', name)
  made.ariaLabel = `${name} ${serialNumber}`
  made.addEventListener('click', press)
  return made
}

export function showDevices(devices: readonly Device[], signedIn: boolean): void {
  byId('devices-section').hidden = !signedIn
  byId('devices').replaceChildren(
    ...devices.map((device) => {
      const { serial_number: serialNumber, model } = device
      return make('li', 'order', [
        make('span', 'order-what', [make('code', '', serialNumber), make('span', '', model ?? '')]),
        make('span', 'device-acts', [
          button(text('scan'), serialNumber, () => void acts?.scan(device)),
          button(text('unbind'), serialNumber, () => void acts?.unbind(serialNumber)),
        ]),
      ])
    }),
  )
}
