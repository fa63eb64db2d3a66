import type { Phone } from '../../world/phone.ts'
import { bind, bindWithProof, newSerial, plantWearable } from '../../world/wearable.ts'
import { type Scenes, whileSetting } from './stage.ts'

const ask = (phone: Phone, serialNumber: string) =>
  phone.call('/devices/bind-challenge', { method: 'POST', body: { serial_number: serialNumber } })

export const deviceAnswers: Scenes = {
  'POST /devices/bind-challenge': {
    '200': async ({ world, phone }) => ask(phone, (await plantWearable(world)).serialNumber),
    device_not_found: ({ phone }) => ask(phone, newSerial()),
    device_not_registered: async ({ world, phone }) => {
      const { serialNumber } = await plantWearable(world)
      await world.query('UPDATE devices SET disabled_at = now() WHERE serial_number = $1', [serialNumber])
      return ask(phone, serialNumber)
    },
  },
  'POST /devices/bind': {
    '201': ({ phone }) => bind(phone, newSerial()),
    '200': async ({ phone }) => {
      const serialNumber = newSerial()
      await bind(phone, serialNumber)
      return bind(phone, serialNumber)
    },
    device_not_registered: ({ world, phone }) =>
      whileSetting(world, ['device_registration', 'inventory_only'], () => bind(phone, newSerial())),
    proof_required: async ({ world, phone }) => bind(phone, (await plantWearable(world)).serialNumber),
    proof_invalid: async ({ world, phone }) =>
      bind(phone, (await plantWearable(world)).serialNumber, { proof: '00' }),
    device_already_bound: async ({ world, phone }) => {
      const wearable = await plantWearable(world)
      await bindWithProof(await world.phone(), wearable)
      return bindWithProof(phone, wearable)
    },
    device_limit_reached: ({ world, phone }) =>
      whileSetting(world, ['max_devices_per_user', 1], async () => {
        await bind(phone, newSerial())
        return bind(phone, newSerial())
      }),
  },
}
