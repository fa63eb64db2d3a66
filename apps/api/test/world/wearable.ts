import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Challenge } from '@meridian/contracts'
import { sealSecret } from '../../src/devices/prove-possession.ts'
import type { Answer, Phone } from './phone.ts'
import type { TestWorld } from './test-world.ts'

export const newSerial = () => `SN-${randomUUID().slice(0, 13).toUpperCase()}`

/** A device in the inventory that knows a secret and signs what it is asked. */
export async function plantWearable(world: TestWorld, serialNumber = newSerial()) {
  const secret = randomBytes(24).toString('base64url')
  await world.query('INSERT INTO devices (serial_number, inventory, sealed_secret) VALUES ($1, true, $2)', [
    serialNumber,
    sealSecret(world.config.DATA_KEY, serialNumber, secret),
  ])
  const sign = (nonce: string) => createHmac('sha256', secret).update(nonce)
  return { serialNumber, secret, prove: (nonce: string) => sign(nonce).digest('hex'), sign }
}
export type Wearable = Awaited<ReturnType<typeof plantWearable>>

export const bind = (phone: Phone, serialNumber: string, more: object = {}): Promise<Answer> =>
  phone.call('/devices/bind', { method: 'POST', body: { serial_number: serialNumber, ...more } })

export async function challenge(phone: Phone, serialNumber: string): Promise<Challenge> {
  const answer = await phone.call('/devices/bind-challenge', {
    method: 'POST',
    body: { serial_number: serialNumber },
  })
  return Challenge.parse(answer.body)
}

/** Asks the device what the server asks, and binds it with the answer. */
export async function bindWithProof(phone: Phone, wearable: Wearable, more: object = {}): Promise<Answer> {
  const { nonce } = await challenge(phone, wearable.serialNumber)
  return bind(phone, wearable.serialNumber, { proof: wearable.prove(nonce), ...more })
}
