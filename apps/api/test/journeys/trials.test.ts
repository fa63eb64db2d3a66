import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { grantTrial } from '../../src/subscriptions/grant-trial.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { userIdOf } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const pool = () => world.services.database.pool
const userOf = (openid: string) => userIdOf(world, { openid })
async function device(): Promise<string> {
  const serialNumber = `SN-${randomUUID().slice(0, 8).toUpperCase()}`
  await world.query('INSERT INTO devices (serial_number, inventory) VALUES ($1, true)', [serialNumber])
  return serialNumber
}
const trial = (userId: string, serialNumber: string, openidMac: string | null = null) =>
  inTransaction(pool(), (client) => grantTrial(client, { userId, serialNumber, days: 7, openidMac }))

test('a trial gives its days with the features that are granted, once', async () => {
  const phone = await world.phone()
  const [userId, serialNumber] = [await userOf(phone.openid), await device()]
  expect(await trial(userId, serialNumber)).toBe(true)
  expect(await phone.subscription()).toMatchObject({
    is_active: true,
    remaining_days: 7,
    plan: null,
    features: ['manual_treatment', 'report_detail'],
  })
  expect(await trial(userId, serialNumber)).toBe(false)
  expect(await trial(userId, await device())).toBe(false)
  expect((await phone.subscription()).remaining_days).toBe(7)
})

test('a device gives one trial, whoever comes second, also at the same time', async () => {
  const serialNumber = await device()
  const users = await Promise.all(Array.from({ length: 6 }, async () => userOf((await world.phone()).openid)))
  const given = await Promise.all(users.map((userId) => trial(userId, serialNumber)))
  expect(given.filter(Boolean)).toHaveLength(1)
})

test('one person with many devices at the same time gets one trial', async () => {
  const userId = await userOf((await world.phone()).openid)
  const devices = await Promise.all(Array.from({ length: 6 }, device))
  const given = await Promise.all(devices.map((serialNumber) => trial(userId, serialNumber)))
  expect(given.filter(Boolean)).toHaveLength(1)
})

test('a trial that an erased account used still counts', async () => {
  const before = await userOf((await world.phone()).openid)
  await trial(before, await device())
  await world.query('UPDATE users SET openid_mac = $2, erased_at = now() WHERE id = $1', [before, 'mac-1'])
  const again = await userOf((await world.phone()).openid)
  expect(await trial(again, await device(), 'mac-1')).toBe(false)
  expect(await trial(again, await device(), 'mac-2')).toBe(true)
})

test('an unknown device and no days give nothing, and the ledger stays whole', async () => {
  const userId = await userOf((await world.phone()).openid)
  expect(await trial(userId, 'SN-UNKNOWN')).toBe(false)
  const none = { userId, serialNumber: await device(), days: 0, openidMac: null }
  expect(await inTransaction(pool(), (client) => grantTrial(client, none))).toBe(false)
  expect((await verifyLedger(pool())).differences).toEqual([])
})
