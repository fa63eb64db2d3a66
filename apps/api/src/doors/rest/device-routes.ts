import {
  BindRequest,
  Challenge,
  ChallengeRequest,
  type Device,
  DeviceAnswer,
  PageQuery,
  UnbindRequest,
  Unbound,
} from '@meridian/contracts'
import { bindDevice } from '../../devices/bind-device.ts'
import { listOwnDevices, type OwnDevice, unbindDevice } from '../../devices/own-bindings.ts'
import { askForProof } from '../../devices/prove-possession.ts'
import type { BindRequest as Binding } from '../../devices/read-binding-state.ts'
import type { Services } from '../../services.ts'
import type { SignedInUser } from '../../users/own-account.ts'
import { failures } from './failures.ts'
import { DeviceList } from './lists.ts'
import { type RestApp, userOf } from './signed-in.ts'

/** A device in the words of the contract. */
const toDevice = (device: OwnDevice): Device => ({
  serial_number: device.serialNumber,
  model: device.model,
  mac_address: device.macAddress,
  firmware_version: device.firmwareVersion,
  nickname: device.nickname,
  bound_at: device.boundAt.toISOString(),
})

/** Who claims what, in our own words. */
const toBindRequest = (user: SignedInUser, body: BindRequest): Binding => ({
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

const limit = 'bind'

const ofBind = [
  'invalid_request',
  'device_not_registered',
  'proof_required',
  'proof_invalid',
  'device_already_bound',
  'device_limit_reached',
] as const

/** What is bound to a person, and its end. */
function boundRoutes(app: RestApp, { database }: Services): void {
  app.get(
    '/devices',
    {
      schema: {
        querystring: PageQuery,
        response: { 200: DeviceList, ...failures('invalid_request') },
      },
    },
    async (request) => {
      const page = await listOwnDevices(database.pool, { ...request.query, userId: userOf(request).id })
      return { items: page.items.map(toDevice), next_cursor: page.nextCursor }
    },
  )

  app.post(
    '/devices/unbind',
    { schema: { body: UnbindRequest, response: { 200: Unbound, ...failures('invalid_request') } } },
    async (request) => {
      const serialNumber = request.body?.serial_number ?? null
      const unbound = await unbindDevice(database.pool, { userId: userOf(request).id, serialNumber })
      return { unbound: unbound.map(toDevice) }
    },
  )
}

/** Binding a device: the proof is asked for first where its inventory row holds a secret. */
function bindingRoutes(app: RestApp, services: Services): void {
  const { database } = services

  app.post(
    '/devices/bind-challenge',
    {
      config: { limit },
      schema: {
        body: ChallengeRequest,
        response: {
          200: Challenge,
          ...failures('invalid_request', 'device_not_found', 'device_not_registered'),
        },
      },
    },
    async (request) => {
      const claim = { userId: userOf(request).id, serialNumber: request.body.serial_number }
      const { nonce, expiresAt } = await askForProof(database.pool, claim)
      return { nonce, expires_at: expiresAt.toISOString() }
    },
  )

  app.post(
    '/devices/bind',
    {
      config: { limit },
      schema: {
        body: BindRequest,
        response: { 200: DeviceAnswer, 201: DeviceAnswer, ...failures(...ofBind) },
      },
    },
    async (request, reply) => {
      const { device, first } = await bindDevice(services, toBindRequest(userOf(request), request.body))
      return reply.code(first ? 201 : 200).send({ device: toDevice(device) })
    },
  )
}

export function deviceRoutes(app: RestApp, services: Services): void {
  boundRoutes(app, services)
  bindingRoutes(app, services)
}
