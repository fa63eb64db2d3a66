import { byId } from './page.ts'

/** The phone that is held: its system, and whether its WeChat is too old for virtual payment. */
export type HeldDevice = { system: 'android' | 'ios'; isOld: boolean }

const systemAt = 'system'
const oldAt = 'old-wechat'

export const heldDevice = (): HeldDevice => ({
  system: localStorage.getItem(systemAt) === 'ios' ? 'ios' : 'android',
  isOld: localStorage.getItem(oldAt) === 'yes',
})

/** What WeChat tells a mini-program of the phone; 8.0.68 is the first that virtual payment takes on an iPhone. */
export const deviceInfo = ({ system }: HeldDevice) => ({
  platform: system,
  system: system === 'ios' ? 'iOS 17.5' : 'Android 14',
})
export const appBaseInfo = ({ isOld }: HeldDevice) =>
  isOld ? { version: '8.0.7', SDKVersion: '2.18.0' } : { version: '8.0.70', SDKVersion: '3.8.10' }

/** Shows which phone it is, and takes up another: as another phone, the page begins anew. */
export function watchDevice(): void {
  const { system, isOld } = heldDevice()
  document.documentElement.dataset['system'] = system
  for (const input of byId('systems').querySelectorAll('input')) {
    input.checked = input.value === system
    input.addEventListener('change', () => take(systemAt, input.value))
  }
  const old = byId('old-wechat')
  if (!(old instanceof HTMLInputElement)) return
  old.checked = isOld
  old.addEventListener('change', () => take(oldAt, old.checked ? 'yes' : 'no'))
}

function take(at: string, value: string): void {
  localStorage.setItem(at, value)
  location.reload()
}
