import type { BindRequest, Device } from '@meridian/contracts'
import type { OwnDevice } from '../../devices/own-device.ts'
import type { BindRequest as Binding } from '../../devices/read-binding-state.ts'
import type { SignedInUser } from '../../users/find-user.ts'

/** A device in the words of the contract. */
export const toDevice = (device: OwnDevice): Device => ({
  serial_number: device.serialNumber,
  model: device.model,
  mac_address: device.macAddress,
  firmware_version: device.firmwareVersion,
  nickname: device.nickname,
  bound_at: device.boundAt.toISOString(),
})

/** Who claims what, in our own words. */
export const toBindRequest = (user: SignedInUser, body: BindRequest): Binding => ({
  claimer: { userId: user.id, openid: user.openid },
  serialNumber: body.serial_number,
  proof: body.proof ?? null,
  attributes: {
    model: body.model || null,
    macAddress: body.mac_address || null,
    firmwareVersion: body.firmware_version || null,
    nickname: body.nickname || null,
  },
})
