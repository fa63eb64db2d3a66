import { execute, Prisma, query } from '@meridian/db'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { grantTrial } from '../../src/subscriptions/grant-trial.ts'
import { lockSubscriptionSql } from '../../src/subscriptions/unused-days.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { plantWearable } from '../world/wearable.ts'

const world = useTestWorld()

const pool = () => world.services.database.pool
const device = async () => (await plantWearable(world)).serialNumber

type Wish = { userId: string; serialNumber: string; days?: number; openidMac?: string | null }
/** Gives a trial, and waits for nobody longer than a moment. */
const trial = ({ userId, serialNumber, days = 7, openidMac = null }: Wish) =>
  inTransaction(pool(), async (client) => {
    await client.query(`SET LOCAL lock_timeout = '500ms'`)
    return grantTrial(client, { userId, serialNumber, days, openidMac })
  })

/** Does something while these rows are held by somebody else. */
async function whileHeld(statement: string, values: string[], act: () => Promise<void>): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(`${statement} FOR UPDATE`, values)
    expect(rowCount).toBe(values.length)
    await act()
  })
}
const locked = { code: '55P03' }

describe('a trial', () => {
  test('is given to a customer who has bought before, and may be a single day', async () => {
    const { phone, userId } = await somebody(world)
    await phone.pays(await phone.buys())
    expect(await trial({ userId, serialNumber: await device(), days: 1 })).toBe(true)
    expect((await phone.subscription()).remaining_days).toBe(31)
  })

  test('of no days is none, also of fewer', async () => {
    const { phone, userId } = await somebody(world)
    for (const days of [0, -1])
      expect(await trial({ userId, serialNumber: await device(), days })).toBe(false)
    expect(await phone.subscription()).toMatchObject({ remaining_days: 0, expires_at: null })
  })

  test('is not used up by an account of the same person that had none', async () => {
    const [before, again, third] = [await somebody(world), await somebody(world), await somebody(world)]
    const erase = (userId: string) =>
      world.query(`UPDATE users SET openid_mac = 'mac-9', erased_at = business_now() WHERE id = $1`, [userId])
    await before.phone.pays(await before.phone.buys())
    await erase(before.userId)
    const [serialNumber, other] = [await device(), await device()]
    expect(await trial({ userId: again.userId, serialNumber, openidMac: 'mac-9' })).toBe(true)
    expect(await trial({ userId: third.userId, serialNumber: other })).toBe(true)
  })

  test('of somebody who does not exist is none', async () => {
    const userId = '00000000-0000-7000-8000-000000000000'
    expect(await trial({ userId, serialNumber: await device() })).toBe(false)
  })

  test('waits for what holds the same device or customer, and for nothing else', async () => {
    const [{ userId }, other] = [await somebody(world), await somebody(world)]
    const [serialNumber, otherDevice] = [await device(), await device()]
    const ofUsers = 'SELECT FROM subscriptions WHERE user_id = $1'
    const ofDevices = 'SELECT FROM devices WHERE serial_number = $1'
    const refused = () => expect(trial({ userId, serialNumber })).rejects.toMatchObject(locked)
    await whileHeld(ofUsers, [userId], refused)
    await whileHeld(ofDevices, [serialNumber], refused)
    await whileHeld(ofUsers, [other.userId], () =>
      whileHeld(ofDevices, [otherDevice], async () => {
        expect(await trial({ userId, serialNumber })).toBe(true)
      }),
    )
  })
})

test('the days of one customer are changed one after the other, those of others side by side', async () => {
  const [{ userId }, other] = [await somebody(world), await somebody(world)]
  const lock = (id: string) =>
    inTransaction(pool(), async (client) => {
      await client.query(`SET LOCAL lock_timeout = '500ms'`)
      return execute(client, query(null, lockSubscriptionSql(Prisma.sql`${id}::uuid`)))
    })
  await whileHeld('SELECT FROM subscriptions WHERE user_id = $1', [userId], async () => {
    await expect(lock(userId)).rejects.toMatchObject(locked)
    expect(await lock(other.userId)).toEqual([{ user_id: other.userId }])
  })
})
