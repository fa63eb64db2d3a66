import { AccountExport, MOST_NOTE_CHARACTERS } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { hire, idOf, problemOf, signInAnew } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const finance = useConsole(world, 'finance')
const owner = useConsole(world, 'owner')
const viewer = useConsole(world, 'viewer')

const somebody = async () => {
  const phone = await world.phone()
  return { phone, subject: { kind: 'user' as const, id: await userIdOf(world, phone) } }
}

const textsOf = ({ items }: { items: { text: string | null }[] }) => items.map(({ text }) => text)

test('what one writes on an order every role reads, the newest first, page by page', async () => {
  const { outTradeNo } = await payInSilence(world)
  const subject = { kind: 'order' as const, id: outTradeNo }
  const texts = ['called,\npays on Friday', 'called again', 'paid']
  for (const text of texts) await operator.note.write.mutate({ subject, text })
  const first = await viewer.note.list.query({ subject, limit: 2 })
  expect(first.items).toMatchObject([
    {
      text: 'paid',
      author: 'operator@example.com',
      withdrawnAt: null,
      withdrawableUntil: null,
      mentions: [],
    },
    { text: 'called again' },
  ])
  const rest = await viewer.note.list.query({ subject, limit: 2, cursor: first.nextCursor ?? '' })
  expect(textsOf(rest)).toEqual(['called,\npays on Friday'])
  expect(rest.nextCursor).toBeNull()
})

test('a viewer writes none', async () => {
  const { subject } = await somebody()
  expect(await problemOf(viewer.note.write.mutate({ subject, text: 'hello' }))).toBe('forbidden')
})

test('a note is a text of one to two thousand characters on a thing that is there', async () => {
  const { subject } = await somebody()
  for (const text of ['', ' \n ', 'x'.repeat(MOST_NOTE_CHARACTERS + 1), 'nul \0'])
    expect(await problemOf(operator.note.write.mutate({ subject, text }))).toBe('invalid_request')
  await operator.note.write.mutate({ subject, text: 'x'.repeat(MOST_NOTE_CHARACTERS) })
  for (const kind of ['order', 'refund', 'user', 'device', 'difference', 'alert'] as const)
    for (const id of ['nothing', '0', '00000000-0000-0000-0000-000000000000'])
      expect(await problemOf(operator.note.write.mutate({ subject: { kind, id }, text: 'x' }))).toBe(
        'not_found',
      )
})

describe('a mention', () => {
  test('is listed for whom it names until they have seen it, and counted', async () => {
    const { subject } = await somebody()
    const mentions = [await idOf(world, 'finance@example.com')]
    const note = await operator.note.write.mutate({ subject, text: 'see @finance@example.com', mentions })
    expect(note.mentions).toEqual(['finance@example.com'])
    const named = await finance.note.mentions.query()
    expect(named).toMatchObject({
      unseen: 1,
      items: [{ id: note.id, subject, text: note.text, author: 'operator@example.com', seenAt: null }],
    })
    expect(await owner.note.mentions.query()).toEqual({ items: [], unseen: 0 })
    expect(await finance.note.seeMentions.mutate({ upTo: note.id })).toEqual({ seen: 1 })
    const seen = await finance.note.mentions.query()
    expect(seen.unseen).toBe(0)
    expect(seen.items[0]?.seenAt).toBeInstanceOf(Date)
  })

  test('names only who works here, and is chosen from these', async () => {
    const { subject } = await somebody()
    const gone = await hire(world, { email: 'gone@example.com', role: 'finance' })
    await world.query('UPDATE operators SET disabled_at = business_now() WHERE id = $1', [gone])
    const { items } = await operator.note.colleagues.query()
    expect(items.map(({ name }) => name)).toContain('finance@example.com')
    expect(items.map(({ id }) => id)).not.toContain(gone)
    const note = await operator.note.write.mutate({ subject, text: 'see @gone', mentions: [gone] })
    expect(note.mentions).toEqual([])
  })

  test('tells namesakes apart by their address', async () => {
    await Promise.all(
      ['one', 'two'].map((who) => hire(world, { email: `${who}@namesake.test`, role: 'finance' })),
    )
    await world.query(`UPDATE operators SET name = 'Li' WHERE email LIKE '%@namesake.test'`)
    const { items } = await operator.note.colleagues.query()
    const names = items.map(({ name }) => name)
    expect(names).not.toContain('Li')
    expect(names).toEqual(expect.arrayContaining(['one@namesake.test', 'two@namesake.test']))
  })

  test('of a note that was withdrawn is none', async () => {
    const { subject } = await somebody()
    const mentions = [await idOf(world, 'viewer@example.com')]
    const { id } = await operator.note.write.mutate({ subject, text: 'wrong', mentions })
    await operator.note.withdraw.mutate({ id })
    expect(await viewer.note.mentions.query()).toEqual({ items: [], unseen: 0 })
  })
})

describe('a note is taken back', () => {
  test('by its author, with a mark; owners still read it', async () => {
    const { subject } = await somebody()
    const { id, withdrawableUntil } = await operator.note.write.mutate({ subject, text: 'wrong person' })
    expect(withdrawableUntil).toBeInstanceOf(Date)
    expect(await problemOf(finance.note.withdraw.mutate({ id }))).toBe('forbidden')
    const withdrawn = await operator.note.withdraw.mutate({ id })
    expect(withdrawn).toMatchObject({
      id,
      text: null,
      withdrawableUntil: null,
      withdrawnAt: expect.any(Date),
    })
    expect(await problemOf(operator.note.withdraw.mutate({ id }))).toBe('note_kept')
    expect(textsOf(await finance.note.list.query({ subject }))).toEqual([null])
    expect(textsOf(await owner.note.list.query({ subject }))).toEqual(['wrong person'])
  })

  test('within five minutes and not later', async () => {
    const { subject } = await somebody()
    const { id } = await operator.note.write.mutate({ subject, text: 'too late' })
    await world.passTime({ minutes: 6 })
    const { console } = await signInAnew(world, 'operator@example.com')
    expect(await problemOf(console.note.withdraw.mutate({ id }))).toBe('note_kept')
    expect(textsOf(await console.note.list.query({ subject }))).toEqual(['too late'])
  })
})

test('the audit log says that a note was written and where, and not what it says', async () => {
  const { subject } = await somebody()
  await operator.note.write.mutate({ subject, text: 'a secret' })
  const [entry] = await world.query(
    `SELECT action, subject_type, subject_id, before, after FROM audit_entries ORDER BY id DESC LIMIT 1`,
  )
  expect(entry).toEqual({
    action: 'note.write',
    subject_type: 'user',
    subject_id: subject.id,
    before: null,
    after: null,
  })
})

test('a note on a refund, a device, a difference or an alert is whose the order or the device is, and goes with them', async () => {
  const { phone, outTradeNo } = await payInSilence(world)
  const userId = await userIdOf(world, phone)
  await deliver(world, outTradeNo)
  await world.query(
    `WITH device AS (INSERT INTO devices (serial_number) VALUES ('NOTE-DEVICE-1') RETURNING serial_number)
     INSERT INTO bindings (serial_number, user_id) SELECT serial_number, $1 FROM device`,
    [userId],
  )
  const whole = { outTradeNo, amountFen: 2900, keepDays: false, reservedFen: 0 } as const
  const { outRefundNo } = await finance.refund.request.mutate({ ...whole, reason: 'user_request', note: '' })
  await finance.refund.retry.mutate({ outRefundNo })
  await world.platform.settleRefund(outRefundNo)
  const [found] = await world.query<{ id: string }>(
    `WITH day AS (INSERT INTO reconciliation_days (date, state, matched_at)
       VALUES ('2026-02-03', 'matched', business_now()) RETURNING date)
     INSERT INTO reconciliation_differences (date, kind, subject, out_refund_no, suggested_action)
     SELECT date, 'refund', $1, $1, 'none' FROM day RETURNING id::text`,
    [outRefundNo],
  )
  const alerts = await world.query<{ id: string }>(
    `INSERT INTO alerts (kind, subject, detail) VALUES
       ('refund_abnormal', $1, '{}'), ('refund_stuck', $1, '{}'), ('second_transaction', $2, '{}'),
       ('shipping_refused', 'x', jsonb_build_object('order', $2::text)),
       ('payment_mismatch', 'y', jsonb_build_object('out_trade_no', $2::text)) RETURNING id::text`,
    [outRefundNo, outTradeNo],
  )
  const subjects = [
    { kind: 'refund' as const, id: outRefundNo },
    { kind: 'device' as const, id: 'NOTE-DEVICE-1' },
    { kind: 'difference' as const, id: found?.id ?? '' },
    ...alerts.map(({ id }) => ({ kind: 'alert' as const, id })),
  ]
  for (const subject of subjects) await operator.note.write.mutate({ subject, text: 'lives at the sea' })
  const exported = AccountExport.parse((await phone.call('/me/export')).body)
  expect(exported.notes).toHaveLength(subjects.length)
  const { items } = await operator.customer.feed.query({ id: userId, kinds: ['notes'] })
  expect(items).toHaveLength(subjects.length)
  const erased = await phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })
  expect(erased.status).toBe(204)
  for (const subject of subjects) expect(textsOf(await owner.note.list.query({ subject }))).toEqual([null])
})

test('nothing but the erasure of whom it concerns takes a note’s text away, and the database holds that', async () => {
  const { phone, outTradeNo } = await payInSilence(world)
  const userId = await userIdOf(world, phone)
  const subjects = [
    { kind: 'user' as const, id: userId },
    { kind: 'order' as const, id: outTradeNo },
  ]
  for (const subject of subjects) await operator.note.write.mutate({ subject, text: 'pays on Friday' })
  for (const change of [
    `UPDATE notes SET text = 'other' WHERE user_id = $1`,
    'UPDATE notes SET text = NULL WHERE user_id = $1',
    'DELETE FROM notes WHERE user_id = $1',
  ])
    await expect(world.query(change, [userId])).rejects.toMatchObject({ code: '23514' })
  const exported = AccountExport.parse((await phone.call('/me/export')).body)
  expect(exported.notes).toMatchObject([
    { subject_kind: 'user', text: 'pays on Friday' },
    { subject_kind: 'order', text: 'pays on Friday' },
  ])
  await deliver(world, outTradeNo)
  const erased = await phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })
  expect(erased.status).toBe(204)
  for (const subject of subjects)
    expect((await owner.note.list.query({ subject })).items).toMatchObject([
      { text: null, author: 'operator@example.com', withdrawnAt: null, withdrawableUntil: null },
    ])
})
