import { createHmac, randomUUID } from 'node:crypto'
import { DEVICE_IMPORT_LIMIT_BYTES, DeviceImport, OperatorRole } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Console, consoleToken, hire, problemOf, signInAnew } from '../world/console.ts'
import { call, codeOf, type Phone } from '../world/phone.ts'
import { userIdOf } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { watchStalls } from '../world/watch-stalls.ts'
import { bind, bindWithProof, newSerial, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
let seats: Record<OperatorRole, { token: string; console: Console }>

const emailOf = (role: OperatorRole) => `${role}@people.test`
const takeSeats = async () => ({
  viewer: await signInAnew(world, emailOf('viewer')),
  operator: await signInAnew(world, emailOf('operator')),
  finance: await signInAnew(world, emailOf('finance')),
  owner: await signInAnew(world, emailOf('owner')),
})

beforeAll(async () => {
  for (const role of OperatorRole.options) await hire(world, { email: emailOf(role), role })
  seats = await takeSeats()
})

const idOf = (phone: Phone) => userIdOf(world, phone)
const auditOf = (subjectId: string) =>
  world.query(
    `SELECT o.email, a.action, a.after FROM audit_entries a JOIN operators o ON o.id = a.operator_id
     WHERE a.subject_id = $1 ORDER BY a.id`,
    [subjectId],
  )
const reason = 'asked for by telephone'

describe('users', () => {
  test('are listed with their names masked, in pages both ways, and counted', async () => {
    const { console: there } = seats.viewer
    const made = [await world.phone(), await world.phone(), await world.phone()]
    await made[2]?.call('/me', { method: 'PUT', body: { nickname: 'Zebra%Crossing' } })
    const first = await there.user.list.query({ limit: 2 })
    expect(first.items.map(({ nickname }) => nickname)).toEqual(['Z***', null])
    const second = await there.user.list.query({ limit: 2, cursor: first.nextCursor ?? '' })
    expect(second.items[0]?.id).toBe(await idOf(made[0] ?? (await world.phone())))
    const back = await there.user.list.query({ limit: 2, cursor: second.previousCursor ?? '' })
    expect(back.items).toEqual(first.items)
    expect((await there.user.list.query({ sort: 'oldest', limit: 1 })).items).toHaveLength(1)
    expect((await there.user.count.query({})).count).toBeGreaterThanOrEqual(3)
    expect((await there.user.list.query({ search: 'zebra%' })).items).toHaveLength(1)
    expect((await there.user.list.query({ search: 'z' })).items).toHaveLength(1)
    expect((await there.user.list.query({ search: 'zebraX' })).items).toEqual([])
    expect(await problemOf(there.user.list.query({ cursor: 'nonsense' }))).toBe('invalid_request')
  })

  test('are filtered by state and time and found by id', async () => {
    const { console: there } = seats.operator
    const phone = await world.phone()
    const id = await idOf(phone)
    expect((await there.user.list.query({ search: id })).items.map((user) => user.id)).toEqual([id])
    await there.user.disable.mutate({ id, reason })
    expect((await there.user.list.query({ state: 'disabled' })).items.map((user) => user.id)).toEqual([id])
    expect((await there.user.list.query({ state: 'active', search: id })).items).toEqual([])
    expect((await there.user.list.query({ to: new Date('2020-01-01') })).items).toEqual([])
  })

  test('are shown with what they bought, bound and measured, and where they are signed in', async () => {
    const phone = await world.phone()
    const [id, serial] = [await idOf(phone), newSerial()]
    await bind(phone, serial)
    await phone.pays(await phone.buys())
    await world.phone(phone.openid)
    const shown = await seats.viewer.console.user.detail.query({ id })
    expect(shown).toMatchObject({
      state: 'active',
      openid: `${phone.openid.slice(0, 4)}••••${phone.openid.slice(-4)}`,
      remainingDays: 30,
      subscription: { features: ['manual_treatment', 'report_detail'] },
      orders: [{ status: 'paid', amountFen: 2900 }],
      orderCount: 1,
      bindings: [{ serialNumber: serial, unboundAt: null }],
      reportCount: 0,
    })
    expect(shown.sessions).toHaveLength(2)
    expect(await problemOf(seats.viewer.console.user.detail.query({ id: randomUUID() }))).toBe('not_found')
  })

  test('are refused at once when disabled and let in again when enabled, and the log says why', async () => {
    const phone = await world.phone()
    const id = await idOf(phone)
    const { console: there } = seats.operator
    const disabled = await there.user.disable.mutate({ id, reason })
    expect(disabled).toMatchObject({ state: 'disabled', disabledReason: reason })
    expect(codeOf(await phone.call('/me'))).toBe('user_disabled')
    expect(await problemOf(there.user.disable.mutate({ id, reason }))).toBe('changed_meanwhile')
    expect(await there.user.enable.mutate({ id, reason: 'a mistake' })).toMatchObject({
      state: 'active',
      disabledReason: null,
    })
    expect((await phone.call('/me')).status).toBe(200)
    expect(await auditOf(id)).toEqual([
      { email: 'operator@people.test', action: 'user.disable', after: { reason } },
      { email: 'operator@people.test', action: 'user.enable', after: { reason: 'a mistake' } },
    ])
    expect(await problemOf(there.user.enable.mutate({ id: randomUUID(), reason }))).toBe('not_found')
    expect(await problemOf(there.user.disable.mutate({ id, reason: 'no' }))).toBe('invalid_request')
  })

  test('lose one session or all of them', async () => {
    const [phone, elsewhere] = [await world.phone('oTwoSeats'), await world.phone('oTwoSeats')]
    const id = await idOf(phone)
    const { console: there } = seats.operator
    const { sessions } = await there.user.detail.query({ id })
    const newest = sessions[0]?.id ?? ''
    const refresh = (one: Phone) =>
      call(`${one.api}/auth/refresh`, { method: 'POST', body: { refresh_token: one.tokens.refresh_token } })
    await there.user.endSessions.mutate({ id, sessionId: newest })
    expect((await refresh(elsewhere)).status).toBe(401)
    const stillThere = await refresh(phone)
    expect(stillThere.status).toBe(200)
    const after = await there.user.endSessions.mutate({ id })
    expect(after.sessions.every(({ revokedAt }) => revokedAt !== null)).toBe(true)
    await there.user.endSessions.mutate({ id }, { context: { changesNothing: true } })
    expect(await auditOf(id)).toMatchObject([
      { action: 'user.end_sessions', after: { session: newest } },
      { action: 'user.end_sessions', after: { session: 'all' } },
    ])
  })

  test('are unmasked for a reason, which the log keeps without what was seen', async () => {
    const phone = await world.phone()
    const id = await idOf(phone)
    await phone.call('/me', { method: 'PUT', body: { nickname: 'Somebody' } })
    expect(await seats.operator.console.user.reveal.mutate({ id, reason })).toEqual({
      openid: phone.openid,
      nickname: 'Somebody',
    })
    const [entry] = await auditOf(id)
    expect(entry).toEqual({ email: 'operator@people.test', action: 'user.reveal', after: { reason } })
    await world.passTime({ minutes: 11 })
    expect(await problemOf(seats.operator.console.user.reveal.mutate({ id, reason }))).toBe(
      'step_up_required',
    )
    seats = await takeSeats()
  })

  test.each(['viewer', 'finance'] as const)('a %s may look and do nothing to them', async (role) => {
    const { console: there } = seats[role]
    const id = await idOf(await world.phone())
    const acts = [
      there.user.disable.mutate({ id, reason }),
      there.user.enable.mutate({ id, reason }),
      there.user.endSessions.mutate({ id }),
      there.user.reveal.mutate({ id, reason }),
    ]
    expect(await Promise.all(acts.map(problemOf))).toEqual(acts.map(() => 'forbidden'))
    expect((await there.user.detail.query({ id })).id).toBe(id)
    expect(await auditOf(id)).toEqual([])
  })
})

describe('devices', () => {
  test('are listed, filtered, found by number, by its beginning and by who has them', async () => {
    const { console: there } = seats.viewer
    const phone = await world.phone()
    const [bound, known] = ['LIST-BOUND-1', 'LIST-KNOWN-1']
    await bind(phone, bound)
    await world.query(`INSERT INTO devices (serial_number, inventory, model) VALUES ($1, true, 'M1')`, [
      known,
    ])
    const serials = async (query: Parameters<typeof there.device.list.query>[0]) =>
      (await there.device.list.query(query)).items.map(({ serialNumber }) => serialNumber)
    expect(await serials({ search: 'list-' })).toEqual([known, bound])
    expect(await serials({ search: 'list-', sort: 'oldest' })).toEqual([bound, known])
    expect(await serials({ search: known })).toEqual([known])
    expect(await serials({ search: await idOf(phone) })).toEqual([bound])
    expect(await serials({ search: 'list-', state: 'unbound' })).toEqual([known])
    expect(await serials({ search: 'list-', inventory: false })).toEqual([bound])
    expect(await serials({ search: 'no such % thing' })).toEqual([])
    const first = await there.device.list.query({ search: 'list-', limit: 1 })
    const second = await there.device.list.query({
      search: 'list-',
      limit: 1,
      cursor: first.nextCursor ?? '',
    })
    expect([first.nextCursor, second.nextCursor]).toEqual([expect.any(String), null])
    expect(second.items[0]).toMatchObject({ serialNumber: bound, owner: { userId: await idOf(phone) } })
    expect(await there.device.count.query({ search: 'list-' })).toEqual({ count: 2, more: false })
  })

  test('are shown with everybody who had them, their radio address masked', async () => {
    const [first, second, wearable] = [await world.phone(), await world.phone(), await plantWearable(world)]
    await bindWithProof(first, wearable, { mac_address: 'AA:BB:CC:DD:EE:FF' })
    await first.call('/devices/unbind', { method: 'POST' })
    await bindWithProof(second, wearable)
    const { serialNumber } = wearable
    expect(await seats.viewer.console.device.detail.query({ serialNumber })).toMatchObject({
      serialNumber,
      hasSecret: true,
      macAddress: '••••E:FF',
      owner: { userId: await idOf(second), proven: true },
      bindings: [
        { userId: await idOf(second), endReason: null },
        { userId: await idOf(first), endReason: 'unbound' },
      ],
    })
    expect(await problemOf(seats.viewer.console.device.detail.query({ serialNumber: newSerial() }))).toBe(
      'device_not_found',
    )
  })

  test('are disabled, enabled and taken from their owner, and the log says why', async () => {
    const { console: there } = seats.operator
    const [phone, serialNumber] = [await world.phone(), newSerial()]
    await bind(phone, serialNumber)
    await there.device.disable.mutate({ serialNumber, reason })
    expect(codeOf(await bind(phone, serialNumber))).toBe('device_not_registered')
    expect(await problemOf(there.device.disable.mutate({ serialNumber, reason }))).toBe('changed_meanwhile')
    await there.device.enable.mutate({ serialNumber, reason })
    expect((await bind(phone, serialNumber)).status).toBe(200)
    const taken = await there.device.unbind.mutate({ serialNumber, reason })
    expect(taken).toMatchObject({ owner: null, bindings: [{ endReason: 'operator' }] })
    expect((await phone.call('/devices')).body).toEqual({ items: [], next_cursor: null })
    expect(await problemOf(there.device.unbind.mutate({ serialNumber, reason }))).toBe('changed_meanwhile')
    expect(await auditOf(serialNumber)).toMatchObject([
      { action: 'device.disable', after: { reason } },
      { action: 'device.enable' },
      { action: 'device.unbind' },
    ])
    expect(await problemOf(there.device.enable.mutate({ serialNumber: newSerial(), reason }))).toBe(
      'device_not_found',
    )
  })

  test.each(['viewer', 'finance'] as const)('a %s may look and do nothing to them', async (role) => {
    const { console: there } = seats[role]
    const serialNumber = newSerial()
    const acts = [
      there.device.disable.mutate({ serialNumber, reason }),
      there.device.enable.mutate({ serialNumber, reason }),
      there.device.unbind.mutate({ serialNumber, reason }),
    ]
    expect(await Promise.all(acts.map(problemOf))).toEqual(acts.map(() => 'forbidden'))
  })
})

describe('an inventory file', () => {
  type Sent = { mode?: string; role?: OperatorRole; type?: string; token?: string | null }
  const send = async (
    body: string,
    { mode = 'preview', role = 'operator', type = 'text/csv', token }: Sent = {},
  ) =>
    call(`${world.url}/console/imports/devices?mode=${mode}`, {
      method: 'POST',
      body,
      token: token === undefined ? seats[role].token : token,
      headers: { 'content-type': type, 'x-console-token': await consoleToken(world) },
    })
  const preview = async (body: string) => DeviceImport.parse((await send(body)).body)
  const known = async (serial: string) =>
    (
      await world.query<object>(
        `SELECT inventory, model, mac_address, firmware_version, sealed_secret IS NOT NULL AS sealed
         FROM devices WHERE serial_number = $1`,
        [serial],
      )
    )[0]

  const secret = 'a-secret-of-sixteen-or-more'
  const good = `\ufeffserial_number,model,secret\r\nimp-0001,"M1, black",${secret}\r\nIMP-0002,,\r\n`

  test('is previewed first, which changes nothing, and then applied, which is in the log', async () => {
    expect(await preview(good)).toEqual({
      applied: false,
      lines: 2,
      created: 2,
      updated: 0,
      boundCount: 0,
      bound: [],
      faultCount: 0,
      faultyLines: 0,
      readToEnd: true,
      faults: [],
    })
    expect(await known('IMP-0001')).toBeUndefined()
    const applied = DeviceImport.parse((await send(good, { mode: 'all' })).body)
    expect(applied).toMatchObject({ applied: true, created: 2, updated: 0 })
    expect(await known('IMP-0001')).toEqual({
      inventory: true,
      model: 'M1, black',
      mac_address: null,
      firmware_version: null,
      sealed: true,
    })
    expect(
      await world.query(
        `SELECT after FROM audit_entries WHERE action = 'device.import' ORDER BY id DESC LIMIT 1`,
      ),
    ).toEqual([{ after: { lines: 2, created: 2, updated: 0, bound: 0, faulty: 0 } }])
    const more = 'serial_number,firmware_version\nIMP-0001,2.0\nIMP-0003,2.0\n'
    expect(await preview(more)).toMatchObject({ created: 1, updated: 1 })
    await send(more, { mode: 'all' })
    expect(await known('IMP-0001')).toMatchObject({
      model: 'M1, black',
      firmware_version: '2.0',
      sealed: true,
    })
  })

  test('binds what it says to the secret it says', async () => {
    const serialNumber = newSerial()
    await send(`serial_number,secret\n${serialNumber},${secret}\n`, { mode: 'all' })
    const phone = await world.phone()
    const prove = (nonce: string) => createHmac('sha256', secret).update(nonce).digest('hex')
    const wearable = {
      serialNumber,
      secret,
      prove,
      sign: (nonce: string) => createHmac('sha256', secret).update(nonce),
    }
    expect((await bindWithProof(phone, wearable)).status).toBe(201)
  })

  test.each([
    ['an empty file', '', [[1, 'column_missing']]],
    ['no serial numbers', 'model\nM1\n', [[1, 'column_missing']]],
    ['a column nobody knows', 'serial_number,price\nABCD,1\n', [[1, 'column_unknown']]],
    ['a column twice', 'serial_number,model,model\nABCD,1,2\n', [[1, 'column_repeated']]],
    ['a serial number of three letters', 'serial_number\nABC\nABCD\n', [[2, 'serial_number_form']]],
    ['a serial number twice', 'serial_number\nABCD\n\nabcd\n', [[4, 'serial_number_repeated']]],
    ['a short secret', 'serial_number,secret\nABCD,short\n', [[2, 'secret_form']]],
    ['a long model', `serial_number,model\nABCD,${'x'.repeat(65)}\n`, [[2, 'model_form']]],
    ['a formula for a model', 'serial_number,model\nABCD,=1+1\n', [[2, 'model_form']]],
    [
      'a long firmware version',
      `serial_number,firmware_version\nABCD,${'x'.repeat(65)}\n`,
      [[2, 'text_form']],
    ],
    ['no MAC address', 'serial_number,mac_address\nABCD,not-a-mac\n', [[2, 'mac_address_form']]],
    ['five octets', 'serial_number,mac_address\nABCD,A4:C1:38:00:12\n', [[2, 'mac_address_form']]],
    ['two separators', 'serial_number,mac_address\nABCD,A4:C1-38:00:12:EF\n', [[2, 'mac_address_form']]],
    [
      'two faults in one line',
      'serial_number,model,secret\n?,M1,short\n',
      [
        [2, 'serial_number_form'],
        [2, 'secret_form'],
      ],
    ],
    ['a line of another length', 'serial_number,model\nABCD,1\nABCE\n', [[3, 'unreadable']]],
    ['a quote that never ends', 'serial_number,model\nABCD,"1\n', [[2, 'unreadable']]],
  ])('with %s is shown line by line and never applied', async (_what, body, faults) => {
    const shown = await preview(body)
    expect(shown.faults.map(({ line, fault }) => [line, fault])).toEqual(faults)
    const applied = DeviceImport.parse((await send(body, { mode: 'all' })).body)
    expect(applied).toMatchObject({ applied: false, created: 0, updated: 0, faultCount: faults.length })
    expect(await known('ABCD')).toBeUndefined()
    expect(JSON.stringify(shown)).not.toContain('short')
  })

  test('is taken without its faulty lines where that is asked for, which is in the log', async () => {
    const body =
      'serial_number,mac_address\nPART-1,a4c1380012ef\nPART-2,not-a-mac\n?,\nPART-3,a4-c1-38-00-12-ef\n'
    expect(await preview(body)).toMatchObject({ lines: 4, created: 2, faultyLines: 2, readToEnd: true })
    const applied = DeviceImport.parse((await send(body, { mode: 'good' })).body)
    expect(applied).toMatchObject({ applied: true, created: 2, updated: 0, faultCount: 2 })
    for (const serial of ['PART-1', 'PART-3'])
      expect(await known(serial)).toMatchObject({ inventory: true, mac_address: 'A4:C1:38:00:12:EF' })
    expect(await known('PART-2')).toBeUndefined()
    expect(
      await world.query(
        `SELECT after FROM audit_entries WHERE action = 'device.import' ORDER BY id DESC LIMIT 1`,
      ),
    ).toEqual([{ after: { lines: 4, created: 2, updated: 0, bound: 0, faulty: 2 } }])
  })

  test.each([
    ['an unknown column', 'serial_number,price\nHALF-1,1\n'],
    ['an open quote', 'serial_number,model\nHALF-1,M1\nHALF-2,"M1\n'],
    ['a thousand faults', `serial_number\nHALF-1\n${'?\n'.repeat(1_000)}`],
  ])('that is not read to its end, for %s, is not taken by its good lines either', async (_why, body) => {
    expect(await preview(body)).toMatchObject({ readToEnd: false })
    const applied = DeviceImport.parse((await send(body, { mode: 'good' })).body)
    expect(applied).toMatchObject({ applied: false, created: 0, updated: 0 })
    expect(await known('HALF-1')).toBeUndefined()
  })

  test('names the devices that somebody has bound, and leaves them as they are', async () => {
    const [bound, free] = [newSerial(), newSerial()]
    await send(`serial_number,model\n${bound},M1\n${free},M1\n`, { mode: 'all' })
    await bind(await world.phone(), bound)
    const before = await known(bound)
    const body = `serial_number,model,secret\n${bound},M2,${secret}\n${free},M2,${secret}\n`
    const shown = { lines: 2, created: 0, updated: 1, boundCount: 1, bound: [bound], faultCount: 0 }
    expect(await preview(body)).toMatchObject(shown)
    const applied = DeviceImport.parse((await send(body, { mode: 'all' })).body)
    expect(applied).toMatchObject({ ...shown, applied: true })
    expect(await known(bound)).toEqual(before)
    expect(await known(free)).toMatchObject({ model: 'M2', sealed: true })
  })

  test('in a mode that nobody knows is refused', async () => {
    expect(codeOf(await send(good, { mode: 'some' }))).toBe('invalid_request')
  })

  test('of many lines is read whole, and tells its faults', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `MANY-${index},M1`)
    const body = `serial_number,model\n${lines.join('\n')}\n`
    expect(await preview(body)).toMatchObject({ lines: 3000, created: 3000, faultCount: 0 })
    const wrong = `serial_number\n${lines
      .slice(0, 500)
      .map(() => '?')
      .join('\n')}\n`
    const shown = await preview(wrong)
    expect([shown.faultCount, shown.faults.length]).toEqual([500, 500])
  })

  test('of a million wrong lines is read up to a thousand faults, and says so', async () => {
    const shown = await preview(`serial_number\n${'?\n'.repeat(1_000_000)}`)
    expect([shown.lines, shown.faultCount, shown.faults.length]).toEqual([1000, 1000, 1001])
    expect(shown.faults.at(-1)).toMatchObject({ line: 1001, fault: 'too_many_faults' })
  })

  test('of more than 100,000 lines is read that far, good and bad ones alike, and keeps nobody else waiting', async () => {
    const lines = Array.from({ length: 100_002 }, (_, index) => `LONG-${index}`)
    const body = `serial_number\n${lines.join('\n')}\n`
    const stalls = watchStalls()
    const shown = await preview(body)
    expect(shown.faults).toEqual([{ line: 100_002, column: null, fault: 'too_many_lines', value: '' }])
    // Reading it as a whole stops the program for seconds; the turns themselves are measured by the bench.
    expect(stalls.longestMs()).toBeLessThan(1000)
  })

  test('is taken from who may import, through the console, as CSV of at most ten MiB', async () => {
    for (const role of ['viewer', 'finance'] as const)
      expect(codeOf(await send(good, { role }))).toBe('forbidden')
    expect(codeOf(await send(good, { token: null }))).toBe('unauthenticated')
    expect(codeOf(await send('{}', { type: 'application/json' }))).toBe('unsupported_media_type')
    expect(codeOf(await send('x'.repeat(DEVICE_IMPORT_LIMIT_BYTES + 1)))).toBe('payload_too_large')
    const stranger = await call(`${world.url}/console/imports/devices`, {
      method: 'POST',
      body: good,
      token: seats.operator.token,
      headers: { 'content-type': 'text/csv' },
    })
    expect(codeOf(stranger)).toBe('not_found')
  })
})
