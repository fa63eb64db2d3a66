import { z } from 'zod'
import { lineOf } from '../text.ts'

/** How a device is known everywhere; written in any case, kept in capitals. */
export const SerialNumber = z
  .string()
  .regex(/^[A-Za-z0-9-]{4,32}$/)
  .toUpperCase()

export const Device = z.object({
  serial_number: z.string(),
  model: z.string().nullable(),
  mac_address: z.string().nullable(),
  firmware_version: z.string().nullable(),
  nickname: z.string().nullable(),
  bound_at: z.iso.datetime(),
})
export type Device = z.infer<typeof Device>

export const DeviceAnswer = z.object({ device: Device })
export const Unbound = z.object({ unbound: z.array(Device) })

/** What a client may say about a device; null, empty and absent all mean that it does not know. */
const Attribute = (longest: number) => lineOf(longest).nullish()

export const BindRequest = z.object({
  serial_number: SerialNumber,
  mac_address: Attribute(64),
  model: Attribute(64),
  firmware_version: Attribute(64),
  nickname: Attribute(64),
  /** HMAC-SHA-256(secret, nonce) as the device made it: 64 hexadecimal digits, or base64 of either alphabet. */
  proof: z.string().min(1).max(128).nullish(),
})
export type BindRequest = z.infer<typeof BindRequest>

/** With no serial number, the device that was bound most recently. */
export const UnbindRequest = z.object({ serial_number: SerialNumber.nullish() }).nullish()

export const ChallengeRequest = z.object({ serial_number: SerialNumber })

/** The nonce as 64 hexadecimal digits: the device signs these characters, not the bytes they stand for. */
export const Challenge = z.object({ nonce: z.string(), expires_at: z.iso.datetime() })
export type Challenge = z.infer<typeof Challenge>
