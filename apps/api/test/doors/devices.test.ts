import type { SettingKey } from '@meridian/contracts'
import { Device, pageOf, Unbound } from '@meridian/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { expectRefused } from '../world/expect-refused.ts'
import type { Answer, Phone } from '../world/phone.ts'
import { inTurn, secondInstance } from '../world/second-instance.ts'
import { setSetting } from '../world/set-setting.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useOpened, useTestWorld } from '../world/use-opened.ts'
import { bind, bindWithProof, challenge, newSerial, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
const other = useOpened(() => secondInstance(world))

const set = (key: SettingKey, value: unknown) => setSetting(world, key, value)
afterEach(async () => {
  await set('max_devices_per_user', 5)
  await set('device_registration', 'open')
  await set('trial_days_on_first_binding', 0)
})

const devicesOf = async (phone: Phone) =>
  pageOf(Device)
    .parse((await phone.call('/devices')).body)
    .items.map(({ serial_number }) => serial_number)
const unbind = (phone: Phone, body?: unknown) =>
  phone.call('/devices/unbind', { method: 'POST', ...(body !== undefined && { body }) })
const unboundBy = async (phone: Phone, body?: unknown) => {
  const answer = await unbind(phone, body)
  expect(answer.status).toBe(200)
  return Unbound.parse(answer.body).unbound.map(({ serial_number }) => serial_number)
}
const historyOf = (serialNumber: string) =>
  world.query(
    `SELECT u.openid, b.proven, b.unbound_at IS NOT NULL AS ended, b.end_reason FROM bindings b JOIN users u ON u.id = b.user_id
     WHERE serial_number = $1 ORDER BY b.id`,
    [serialNumber],
  )

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()

describe('binding', () => {
  test('a device is bound once and the same person may repeat it', async () => {
    const [phone, serialNumber] = [await world.phone(), newSerial()]
    const about = { model: 'M1', mac_address: 'AA:BB', firmware_version: '1.0.2', nickname: '客厅' }
    const first = await bind(phone, serialNumber, about)
    expect(first.status).toBe(201)
    const device = { serial_number: serialNumber, ...about, bound_at: expect.any(String) }
    expect(first.body).toEqual({ device })
    const again = await bind(phone, serialNumber, { mac_address: 'CC:DD', nickname: '卧室' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ device: { ...device, mac_address: 'CC:DD', nickname: '卧室' } })
    expect((await phone.call('/devices')).body).toEqual({
      items: [{ ...device, mac_address: 'CC:DD', nickname: '卧室' }],
      next_cursor: null,
    })
  })

  test('a serial number is the same in small letters', async () => {
    const [phone, serialNumber] = [await world.phone(), newSerial()]
    expect((await bind(phone, serialNumber.toLowerCase())).status).toBe(201)
    expect((await bind(phone, serialNumber)).status).toBe(200)
    expect(await devicesOf(phone)).toEqual([serialNumber])
    expect(await unboundBy(phone, { serial_number: serialNumber.toLowerCase() })).toEqual([serialNumber])
  })

  test.each([
    ['no serial number', {}],
    ['a short serial number', { serial_number: 'ABC' }],
    ['a long serial number', { serial_number: 'A'.repeat(33) }],
    ['a serial number with a space', { serial_number: 'AB CD' }],
    ['a nickname with a NUL', { serial_number: 'ABCD', nickname: 'a\u0000b' }],
    ['a nickname of 65 characters', { serial_number: 'ABCD', nickname: 'x'.repeat(65) }],
    ['a proof that is a number', { serial_number: 'ABCD', proof: 12 }],
  ])('%s is an invalid request', async (_what, body) => {
    const phone = await world.phone()
    expectRefused(await phone.call('/devices/bind', { method: 'POST', body }), 400, 'invalid_request')
  })

  test('a device of somebody else is refused, and changes nothing about it', async () => {
    const [owner, stranger, serialNumber] = [await world.phone(), await world.phone(), newSerial()]
    await bind(owner, serialNumber, { model: 'M1' })
    expectRefused(await bind(stranger, serialNumber, { model: 'M2' }), 409, 'device_already_bound')
    expect((await owner.call('/devices')).body).toMatchObject({ items: [{ model: 'M1' }] })
    expect(await devicesOf(stranger)).toEqual([])
  })

  test('a disabled device is refused, also to the one who has it', async () => {
    const [phone, serialNumber] = [await world.phone(), newSerial()]
    await bind(phone, serialNumber)
    await world.query('UPDATE devices SET disabled_at = business_now() WHERE serial_number = $1', [
      serialNumber,
    ])
    expectRefused(await bind(phone, serialNumber), 403, 'device_not_registered')
  })

  test('where only the inventory counts, an unknown device is refused and leaves no trace', async () => {
    const [phone, known, unknown] = [await world.phone(), newSerial(), newSerial()]
    const earlier = newSerial()
    await bind(phone, earlier)
    await world.query('INSERT INTO devices (serial_number, inventory) VALUES ($1, true)', [known])
    await set('device_registration', 'inventory_only')
    expectRefused(await bind(phone, unknown), 403, 'device_not_registered')
    expect(await world.query('SELECT 1 FROM devices WHERE serial_number = $1', [unknown])).toEqual([])
    expect((await bind(phone, known)).status).toBe(201)
    expect((await bind(phone, earlier)).status).toBe(200)
    await unbind(phone, { serial_number: earlier })
    expectRefused(await bind(phone, earlier), 403, 'device_not_registered')
  })

  test('the model that the inventory names stands, whatever a client says', async () => {
    const [phone, serialNumber] = [await world.phone(), newSerial()]
    await world.query(`INSERT INTO devices (serial_number, inventory, model) VALUES ($1, true, 'PRO')`, [
      serialNumber,
    ])
    expect((await bind(phone, serialNumber, { model: 'FAKE' })).body).toMatchObject({
      device: { model: 'PRO' },
    })
  })

  test('one device more than allowed is refused and not remembered, and unbinding one makes room', async () => {
    const phone = await world.phone()
    await set('max_devices_per_user', 2)
    const [one, two, three] = [newSerial(), newSerial(), newSerial()]
    expect(statuses([await bind(phone, one), await bind(phone, two)])).toEqual([201, 201])
    expectRefused(await bind(phone, three), 409, 'device_limit_reached')
    expect(await world.query('SELECT 1 FROM devices WHERE serial_number = $1', [three])).toEqual([])
    expect((await bind(phone, one)).status).toBe(200)
    await unbind(phone, { serial_number: one })
    expect((await bind(phone, three)).status).toBe(201)
  })

  test('the list is read in pages, the newest binding first', async () => {
    const phone = await world.phone()
    const serials = [newSerial(), newSerial(), newSerial()]
    for (const serial of serials) await bind(phone, serial)
    const first = pageOf(Device).parse((await phone.call('/devices?limit=2')).body)
    const second = pageOf(Device).parse(
      (await phone.call(`/devices?limit=2&cursor=${first.next_cursor}`)).body,
    )
    expect([...first.items, ...second.items].map(({ serial_number }) => serial_number)).toEqual(
      serials.toReversed(),
    )
    expect(second.next_cursor).toBeNull()
    expectRefused(await phone.call('/devices?cursor=nonsense'), 400, 'invalid_request')
    expectRefused(await phone.call('/devices?limit=0'), 400, 'invalid_request')
  })
})

describe('unbinding', () => {
  test('with a serial number it ends that binding, with none the newest, and with nothing bound nothing', async () => {
    const phone = await world.phone()
    const [one, two, three] = [newSerial(), newSerial(), newSerial()]
    for (const serial of [one, two, three]) await bind(phone, serial)
    expect(await unboundBy(phone, { serial_number: two })).toEqual([two])
    expect(await unboundBy(phone)).toEqual([three])
    expect(await unboundBy(phone, {})).toEqual([one])
    expect(await unboundBy(phone, '')).toEqual([])
    expect(await unboundBy(phone, { serial_number: one })).toEqual([])
  })

  test('a device of somebody else stays bound', async () => {
    const [owner, stranger, serialNumber] = [await world.phone(), await world.phone(), newSerial()]
    await bind(owner, serialNumber)
    expect(await unboundBy(stranger, { serial_number: serialNumber })).toEqual([])
    expect(await devicesOf(owner)).toEqual([serialNumber])
    expectRefused(await unbind(stranger, { serial_number: 'no' }), 400, 'invalid_request')
  })

  test('who had a device and how it ended is kept', async () => {
    const [one, other, serialNumber] = [await world.phone(), await world.phone(), newSerial()]
    await bind(one, serialNumber)
    await unbind(one)
    await bind(other, serialNumber)
    expect(await historyOf(serialNumber)).toEqual([
      { openid: one.openid, proven: false, ended: true, end_reason: 'unbound' },
      { openid: other.openid, proven: false, ended: false, end_reason: null },
    ])
  })
})

describe('proof of possession', () => {
  test('a device that knows a secret is bound with proof only', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    expectRefused(await bind(phone, wearable.serialNumber), 403, 'proof_required')
    const asked = await challenge(phone, wearable.serialNumber)
    expect(asked.nonce).toMatch(/^[0-9a-f]{64}$/)
    const seconds = (Date.parse(asked.expires_at) - world.services.runtime.now().getTime()) / 1000
    expect(seconds).toBeGreaterThan(100)
    expect(seconds).toBeLessThanOrEqual(121)
    const proof = wearable.prove(asked.nonce)
    expect((await bind(phone, wearable.serialNumber, { proof })).status).toBe(201)
    expect(await historyOf(wearable.serialNumber)).toMatchObject([{ proven: true, ended: false }])
    expect((await bind(phone, wearable.serialNumber, { proof })).status).toBe(200)
    expect((await bind(phone, wearable.serialNumber)).status).toBe(200)
  })

  test.each(['hex', 'base64', 'base64url'] as const)('a proof may be written in %s', async (encoding) => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(phone, wearable.serialNumber)
    const proof = wearable.sign(nonce).digest(encoding)
    expect((await bind(phone, wearable.serialNumber, { proof })).status).toBe(201)
  })

  test('a wrong proof uses up the challenge, and the right one then comes too late', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(phone, wearable.serialNumber)
    expectRefused(await bind(phone, wearable.serialNumber, { proof: '0'.repeat(64) }), 403, 'proof_invalid')
    const proof = wearable.prove(nonce)
    expectRefused(await bind(phone, wearable.serialNumber, { proof }), 403, 'proof_invalid')
    expect((await bindWithProof(phone, wearable)).status).toBe(201)
  })

  test('an answer works once: not for another claim, not after two minutes', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(phone, wearable.serialNumber)
    const proof = wearable.prove(nonce)
    expect((await bind(phone, wearable.serialNumber, { proof })).status).toBe(201)
    await unbind(phone)
    expectRefused(await bind(phone, wearable.serialNumber, { proof }), 403, 'proof_invalid')
    const late = await challenge(phone, wearable.serialNumber)
    await world.passTime({ minutes: 2 })
    expectRefused(
      await bind(phone, wearable.serialNumber, { proof: wearable.prove(late.nonce) }),
      403,
      'proof_invalid',
    )
  })

  test("a stranger's wrong answers and questions never cancel the owner's attempt, nor may a stranger use its answer", async () => {
    const [owner, stranger, wearable] = [await world.phone(), await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(owner, wearable.serialNumber)
    const proof = wearable.prove(nonce)
    for (const wrong of [proof, '00', 'x'.repeat(128)]) {
      await challenge(stranger, wearable.serialNumber)
      expectRefused(await bind(stranger, wearable.serialNumber, { proof: wrong }), 403, 'proof_invalid')
    }
    expect((await bind(owner, wearable.serialNumber, { proof })).status).toBe(201)
  })

  test('an answer to an earlier question of the same person counts while nothing was answered', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(phone, wearable.serialNumber)
    await challenge(phone, wearable.serialNumber)
    expect((await bind(phone, wearable.serialNumber, { proof: wearable.prove(nonce) })).status).toBe(201)
  })

  test('the answer of another device proves nothing', async () => {
    const [phone, one, other] = [await world.phone(), await plantWearable(world), await plantWearable(world)]
    const { nonce } = await challenge(phone, one.serialNumber)
    expectRefused(await bind(phone, one.serialNumber, { proof: other.prove(nonce) }), 403, 'proof_invalid')
  })

  test('a binding without proof yields to a claim with proof, a proven one to nobody', async () => {
    const [first, second, third] = [await world.phone(), await world.phone(), await world.phone()]
    const wearable = await plantWearable(world)
    await world.query(
      'INSERT INTO bindings (serial_number, user_id) SELECT $1, id FROM users WHERE openid = $2',
      [wearable.serialNumber, first.openid],
    )
    expectRefused(await bind(second, wearable.serialNumber), 403, 'proof_required')
    expect((await bindWithProof(second, wearable)).status).toBe(201)
    expect(await devicesOf(first)).toEqual([])
    expectRefused(await bindWithProof(third, wearable), 409, 'device_already_bound')
    expect(await historyOf(wearable.serialNumber)).toEqual([
      { openid: first.openid, proven: false, ended: true, end_reason: 'superseded' },
      { openid: second.openid, proven: true, ended: false, end_reason: null },
    ])
  })

  test('a binding without proof becomes a proven one when its owner proves it', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    await world.query(
      'INSERT INTO bindings (serial_number, user_id) SELECT $1, id FROM users WHERE openid = $2',
      [wearable.serialNumber, phone.openid],
    )
    expect((await bind(phone, wearable.serialNumber)).status).toBe(200)
    await challenge(phone, wearable.serialNumber)
    expectRefused(await bind(phone, wearable.serialNumber, { proof: '00' }), 403, 'proof_invalid')
    expect((await bindWithProof(phone, wearable)).status).toBe(200)
    expect(await historyOf(wearable.serialNumber)).toMatchObject([{ proven: true, ended: false }])
  })

  test('nobody is asked to prove a device that nobody knows, or that is disabled', async () => {
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const ask = (serial_number: string) =>
      phone.call('/devices/bind-challenge', { method: 'POST', body: { serial_number } })
    expectRefused(await ask(newSerial()), 404, 'device_not_found')
    expectRefused(await ask('x'), 400, 'invalid_request')
    await world.query('UPDATE devices SET disabled_at = business_now() WHERE serial_number = $1', [
      wearable.serialNumber,
    ])
    expectRefused(await ask(wearable.serialNumber), 403, 'device_not_registered')
  })

  test('dead questions are taken away by those that follow, and secrets are sealed', async () => {
    await using own = await openTestWorld()
    const [phone, wearable] = [await own.phone(), await plantWearable(own)]
    await challenge(phone, wearable.serialNumber)
    await own.passTime({ hours: 1, minutes: 2 })
    await challenge(phone, wearable.serialNumber)
    const [row] = await own.query<{ left: number; device: string }>(
      `SELECT (SELECT count(*)::int FROM bind_challenges b WHERE b.serial_number = d.serial_number) AS left, d::text AS device
       FROM devices d WHERE serial_number = $1`,
      [wearable.serialNumber],
    )
    expect(row?.left).toBe(1)
    expect(row?.device).not.toContain(wearable.secret)
    expect(row?.device).not.toContain(Buffer.from(wearable.secret).toString('hex'))
  })
})

describe('trial days', () => {
  test('the first device that gave proof brings them, once per person and once per device', async () => {
    await set('trial_days_on_first_binding', 7)
    const [phone, other] = [await world.phone(), await world.phone()]
    const [wearable, second] = [await plantWearable(world), await plantWearable(world)]
    await bindWithProof(phone, wearable)
    expect(await phone.subscription()).toMatchObject({ is_active: true, remaining_days: 7, plan: null })
    await bindWithProof(phone, second)
    await unbind(phone, { serial_number: wearable.serialNumber })
    expect((await bindWithProof(other, wearable)).status).toBe(201)
    expect((await phone.subscription()).remaining_days).toBe(7)
    expect((await other.subscription()).is_active).toBe(false)
  })

  test('a device that gave no proof brings none, nor does any while the setting is 0', async () => {
    const phone = await world.phone()
    await bindWithProof(phone, await plantWearable(world))
    await set('trial_days_on_first_binding', 7)
    const inInventory = newSerial()
    await world.query('INSERT INTO devices (serial_number, inventory) VALUES ($1, true)', [inInventory])
    await bind(phone, newSerial())
    await bind(phone, inInventory)
    expect((await phone.subscription()).is_active).toBe(false)
  })
})

describe('on two replicas at once', () => {
  test('one device claimed by many is bound by one', async () => {
    const [phones, serialNumber] = [
      await Promise.all(Array.from({ length: 8 }, () => world.phone())),
      newSerial(),
    ]
    const answers = await Promise.all(
      phones.map((phone, turn) =>
        inTurn(phone, other.url)(turn, '/devices/bind', {
          method: 'POST',
          body: { serial_number: serialNumber },
        }),
      ),
    )
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
    expect(await historyOf(serialNumber)).toHaveLength(1)
  })

  test('many devices claimed by one person never exceed the limit, and one claimed many times is bound once', async () => {
    await set('max_devices_per_user', 3)
    const phone = await world.phone()
    const ask = inTurn(phone, other.url)
    const claim = (turn: number, serial_number: string) =>
      ask(turn, '/devices/bind', { method: 'POST', body: { serial_number } })
    const answers = await Promise.all(Array.from({ length: 10 }, (_, turn) => claim(turn, newSerial())))
    expect(statuses(answers)).toEqual([201, 201, 201, 409, 409, 409, 409, 409, 409, 409])
    await unbind(phone)
    const same = newSerial()
    const repeats = await Promise.all(Array.from({ length: 6 }, (_, turn) => claim(turn, same)))
    expect(statuses(repeats)).toEqual([200, 200, 200, 200, 200, 201])
    expect(await devicesOf(phone)).toHaveLength(3)
  })

  test('one answer sent many times binds once, gives its trial once and refuses nobody who has the device', async () => {
    await set('trial_days_on_first_binding', 7)
    const [phone, wearable] = [await world.phone(), await plantWearable(world)]
    const { nonce } = await challenge(phone, wearable.serialNumber)
    const body = { serial_number: wearable.serialNumber, proof: wearable.prove(nonce) }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, turn) =>
        inTurn(phone, other.url)(turn, '/devices/bind', { method: 'POST', body }),
      ),
    )
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 201])
    expect((await phone.subscription()).remaining_days).toBe(7)
  })

  test('two taps on unbind end one binding or two, and never one twice', async () => {
    const phone = await world.phone()
    for (const serial of [newSerial(), newSerial(), newSerial()]) await bind(phone, serial)
    const ask = inTurn(phone, other.url)
    const answers = await Promise.all([0, 1].map((turn) => ask(turn, '/devices/unbind', { method: 'POST' })))
    const ended = answers.flatMap(({ body }) =>
      Unbound.parse(body).unbound.map(({ serial_number }) => serial_number),
    )
    expect(new Set(ended).size).toBe(ended.length)
    expect((await devicesOf(phone)).length + ended.length).toBe(3)
  })
})
