import { AccountExport, MOST_TAG_CHARACTERS, MOST_TAGS_IN_USE, type TagChip } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { failureOf, problemOf } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { somebody, userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import { bind, newSerial } from '../world/wearable.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const finance = useConsole(world, 'finance')
const owner = useConsole(world, 'owner')
const viewer = useConsole(world, 'viewer')

const labelsOf = ({ items }: { items: readonly Pick<TagChip, 'label'>[] }) => items.map(({ label }) => label)
/** Several do the same: all but one of them change nothing. */
const oneOfMany = { context: { changesNothing: true } }
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => problemOf(Promise.reject(error)),
  )
let named = 0
const newLabel = (what = 'tag') => `${what} ${++named}`
const aUser = async () => ({ kind: 'user' as const, id: (await somebody(world)).userId })
const anOrder = async () => {
  const [id = ''] = await plantOrders(world, { count: 1 })
  return { kind: 'order' as const, id }
}
const aTag = async (label = newLabel()) => {
  const { id } = await owner.tag.create.mutate({ label, color: 'blue' })
  return { id, label }
}
const chosen = async (id: string) => (await viewer.tag.choices.query()).items.find((tag) => tag.id === id)
const audited = () =>
  world.query<Record<string, unknown>>(
    `SELECT action, subject_type, subject_id, before, after FROM audit_entries WHERE action LIKE 'tag.%' ORDER BY id DESC`,
  )

describe('a tag is set', () => {
  test('and taken again by whoever writes notes, with an entry in the audit log for each', async () => {
    const subject = await anOrder()
    const { id, label } = await aTag()
    const { items } = await operator.tag.set.mutate({ subject, id })
    expect(items).toEqual([{ id, label, color: 'blue', isArchived: false }])
    expect(await viewer.tag.of.query({ subject })).toEqual({ items })
    expect((await audited())[0]).toEqual({
      action: 'tag.set',
      subject_type: 'order',
      subject_id: subject.id,
      before: null,
      after: { tag: label },
    })
    expect(await finance.tag.take.mutate({ subject, id })).toEqual({ items: [] })
    expect((await audited())[0]).toMatchObject({ action: 'tag.take', before: { tag: label }, after: null })
    const before = (await audited()).length
    await finance.tag.take.mutate({ subject, id }, oneOfMany)
    expect(await audited()).toHaveLength(before)
  })

  test('and stands in the feed of the customer, with who did it', async () => {
    const subject = await aUser()
    const { id, label } = await aTag()
    await operator.tag.set.mutate({ subject, id })
    await finance.tag.take.mutate({ subject, id })
    const { items } = await viewer.customer.feed.query({ id: subject.id, kinds: ['account'], limit: 10 })
    const told = items.map(({ item }) => item)
    expect(told).toMatchObject([
      { action: 'tag.take', reason: label, by: 'finance@example.com' },
      { action: 'tag.set', reason: label, by: 'operator@example.com' },
    ])
  })

  test('by nobody who only looks', async () => {
    const subject = await aUser()
    const { id } = await aTag()
    const made = { subject, label: newLabel(), color: 'red' as const }
    expect(await problemOf(viewer.tag.set.mutate({ subject, id }))).toBe('forbidden')
    expect(await problemOf(viewer.tag.setNew.mutate(made))).toBe('forbidden')
    expect(await problemOf(viewer.tag.take.mutate({ subject, id }))).toBe('forbidden')
  })

  test('once, whoever else sets it at the same moment', async () => {
    const subject = await aUser()
    const { id, label } = await aTag()
    const before = (await audited()).length
    const answers = await Promise.all(
      [operator, finance, owner, operator, finance].map((console) =>
        console.tag.set.mutate({ subject, id }, oneOfMany),
      ),
    )
    expect(answers.map(labelsOf)).toEqual(answers.map(() => [label]))
    expect(await audited()).toHaveLength(before + 1)
  })

  test('and made in place once, by several at once too, whatever the case of its letters', async () => {
    const subject = await aUser()
    const label = newLabel('Urgent')
    await Promise.all(
      [label, label.toUpperCase(), label, label.toLowerCase()].map((written, index) =>
        (index % 2 === 0 ? operator : finance).tag.setNew.mutate(
          { subject, label: written, color: 'red' },
          oneOfMany,
        ),
      ),
    )
    const { items } = await viewer.tag.of.query({ subject })
    expect(items.map((tag) => tag.label.toLowerCase())).toEqual([label.toLowerCase()])
    const made = (await audited()).filter(({ action, after }) => {
      const { label: of } = { label: '', ...(after as { label?: string } | null) }
      return action === 'tag.create' && of.toLowerCase() === label.toLowerCase()
    })
    expect(made).toHaveLength(1)
  })

  test('on nothing that is not there, and only while it is in use', async () => {
    const { id } = await aTag()
    for (const kind of ['order', 'user', 'device'] as const)
      for (const of of ['nothing', '0', '00000000-0000-0000-0000-000000000000']) {
        const subject = { kind, id: of }
        expect(await problemOf(operator.tag.set.mutate({ subject, id }))).toBe('not_found')
        const made = { subject, label: newLabel('never made'), color: 'gray' as const }
        expect(await problemOf(operator.tag.setNew.mutate(made))).toBe('not_found')
      }
    expect(await world.query(`SELECT 1 FROM tags WHERE label LIKE 'never made%'`)).toEqual([])
    const subject = await aUser()
    expect(await problemOf(operator.tag.set.mutate({ subject, id: '999999' }))).toBe('not_found')
    await owner.tag.archive.mutate({ id })
    expect(await problemOf(operator.tag.set.mutate({ subject, id }))).toBe('changed_meanwhile')
  })

  test('ten times on one thing at most, however many try at once', async () => {
    const subject = await anOrder()
    const outcomes = await Promise.all(
      Array.from({ length: 14 }, () =>
        outcomeOf(operator.tag.setNew.mutate({ subject, label: newLabel('many'), color: 'pink' })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'invalid_request')).toHaveLength(4)
    const { items } = await viewer.tag.of.query({ subject })
    expect(items).toHaveLength(10)
    const again = { subject, id: items[0]?.id ?? '' }
    expect((await operator.tag.set.mutate(again, oneOfMany)).items).toHaveLength(10)
  })
})

describe('a label', () => {
  test('is one line of one to twenty-four characters, and one of the colours goes with it', async () => {
    const label = `  ${'签'.repeat(MOST_TAG_CHARACTERS)} `
    const { id } = await owner.tag.create.mutate({ label, color: 'green' })
    expect(await chosen(id)).toMatchObject({ label: label.trim(), color: 'green' })
    for (const wrong of [
      '',
      '   ',
      'x'.repeat(MOST_TAG_CHARACTERS + 1),
      'two\nlines',
      'nul\0',
      'turned \u202E',
    ])
      expect(await problemOf(owner.tag.create.mutate({ label: wrong, color: 'green' }))).toBe(
        'invalid_request',
      )
  })

  test('is bounded by the database too, and so are colours', async () => {
    const insert = 'INSERT INTO tags (label, color) VALUES ($1, $2)'
    for (const [label, color] of [
      ['', 'red'],
      ['x'.repeat(25), 'red'],
      [' led', 'red'],
      ['a\tb', 'red'],
      ['fine', 'black'],
    ])
      await expect(world.query(insert, [label, color])).rejects.toMatchObject({ code: '23514' })
  })

  test('belongs to one tag in use, and to an archived one beside it', async () => {
    const { id, label } = await aTag()
    const taken = await failureOf(owner.tag.create.mutate({ label: label.toUpperCase(), color: 'red' }))
    expect(taken).toMatchObject({ problem: { code: 'invalid_request', errors: [{ path: 'label' }] } })
    await owner.tag.archive.mutate({ id })
    const other = await owner.tag.create.mutate({ label, color: 'red' })
    expect(await problemOf(owner.tag.restore.mutate({ id }))).toBe('invalid_request')
    await owner.tag.archive.mutate(other)
    await owner.tag.restore.mutate({ id })
    expect(await chosen(id)).toMatchObject({ isArchived: false })
  })
})

describe('an owner, and nobody else,', () => {
  test('gives a tag another label and colour, which show wherever it is set', async () => {
    const subject = await anOrder()
    const { id, label } = await aTag()
    await operator.tag.set.mutate({ subject, id })
    const other = newLabel('renamed')
    expect(await problemOf(finance.tag.edit.mutate({ id, label: other, color: 'pink' }))).toBe('forbidden')
    await owner.tag.edit.mutate({ id, label: other, color: 'pink' })
    expect((await viewer.tag.of.query({ subject })).items).toMatchObject([{ label: other, color: 'pink' }])
    expect((await audited())[0]).toEqual({
      action: 'tag.edit',
      subject_type: 'tag',
      subject_id: id,
      before: { label, color: 'blue' },
      after: { label: other, color: 'pink' },
    })
    const { label: taken } = await aTag()
    expect(await problemOf(owner.tag.edit.mutate({ id, label: taken, color: 'pink' }))).toBe(
      'invalid_request',
    )
    expect(await problemOf(owner.tag.edit.mutate({ id: '999999', label: 'x', color: 'pink' }))).toBe(
      'not_found',
    )
  })

  test('archives a tag, which stays where it is set, and brings it back', async () => {
    const subject = await aUser()
    const { id, label } = await aTag()
    await operator.tag.set.mutate({ subject, id })
    expect(await problemOf(operator.tag.archive.mutate({ id }))).toBe('forbidden')
    await owner.tag.archive.mutate({ id })
    expect((await viewer.tag.of.query({ subject })).items).toMatchObject([{ label, isArchived: true }])
    expect(labelsOf(await owner.tag.list.query({ limit: 100 }))).not.toContain(label)
    expect(labelsOf(await owner.tag.list.query({ isArchived: true, limit: 100 }))).toContain(label)
    const { items } = await viewer.user.list.query({ tag: id })
    expect(items.map((user) => user.id)).toEqual([subject.id])
    await owner.tag.restore.mutate({ id })
    expect((await audited()).slice(0, 2)).toMatchObject([
      { action: 'tag.restore' },
      { action: 'tag.archive' },
    ])
    expect(await chosen(id)).toMatchObject({ isArchived: false })
  })

  test('merges a tag into another: each thing bears the other once, and the first is gone', async () => {
    const [one, both, other] = [await anOrder(), await aUser(), await anOrder()]
    const [from, into] = [await aTag(), await aTag()]
    for (const subject of [one, both]) await operator.tag.set.mutate({ subject, id: from.id })
    for (const subject of [both, other]) await operator.tag.set.mutate({ subject, id: into.id })
    const merge = { id: from.id, into: into.id }
    expect(await problemOf(operator.tag.merge.mutate(merge))).toBe('forbidden')
    await owner.tag.merge.mutate(merge)
    for (const subject of [one, both, other])
      expect(labelsOf(await viewer.tag.of.query({ subject }))).toEqual([into.label])
    expect(await chosen(from.id)).toBeUndefined()
    expect((await audited())[0]).toEqual({
      action: 'tag.merge',
      subject_type: 'tag',
      subject_id: from.id,
      before: { label: from.label, color: 'blue' },
      after: { into: into.label, count: 2 },
    })
    expect(await problemOf(owner.tag.merge.mutate(merge))).toBe('not_found')
    expect(await problemOf(owner.tag.merge.mutate({ id: into.id, into: into.id }))).toBe('invalid_request')
  })

  test('merges while others set the tag, and none of it is lost or left behind', async () => {
    const subjects = await plantOrders(world, { count: 12 })
    const [from, into] = [await aTag(), await aTag()]
    const settings = subjects.map((id) =>
      outcomeOf(operator.tag.set.mutate({ subject: { kind: 'order', id }, id: from.id })),
    )
    await owner.tag.merge.mutate({ id: from.id, into: into.id })
    const outcomes = await Promise.all(settings)
    // Who comes too late is told so: the tag is gone, or was while they waited for it.
    const done = outcomes.filter((outcome) => outcome === 'done')
    expect(['done', 'not_found', 'changed_meanwhile']).toEqual(expect.arrayContaining(outcomes))
    const rows = await world.query('SELECT 1 FROM taggings WHERE tag_id = $1', [into.id])
    expect(rows).toHaveLength(done.length)
    expect(await world.query('SELECT 1 FROM taggings WHERE tag_id = $1', [from.id])).toEqual([])
  })

  test('does not merge a tag that more things bear than one transaction should move', async () => {
    const [from, into] = [await aTag(), await aTag()]
    await world.query(
      `INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, operator_id)
       SELECT $1, 'device', 'SN' || n, now(), (SELECT min(id::text)::uuid FROM operators) FROM generate_series(1, 20001) n`,
      [from.id],
    )
    const { problem } = await failureOf(owner.tag.merge.mutate({ id: from.id, into: into.id }))
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ path: 'into' }] })
    const { items } = await owner.tag.list.query({ limit: 100 })
    expect(items.find(({ id }) => id === from.id)?.devices).toEqual({ count: 1000, more: true })
    await world.query('DELETE FROM taggings WHERE tag_id = $1', [from.id])
  })
})

test('no more than two hundred tags are in use', async () => {
  const [row] = await world.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM tags WHERE archived_at IS NULL',
  )
  const free = MOST_TAGS_IN_USE - (row?.count ?? 0)
  const outcomes = await Promise.all(
    Array.from({ length: free + 3 }, () =>
      outcomeOf(owner.tag.create.mutate({ label: newLabel('full'), color: 'gray' })),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'invalid_request')).toHaveLength(3)
  const subject = await aUser()
  const { items } = await viewer.tag.choices.query()
  const made = { subject, label: items[0]?.label ?? '', color: 'red' as const }
  expect(labelsOf(await operator.tag.setNew.mutate(made))).toEqual([items[0]?.label])
  await world.query(`UPDATE tags SET archived_at = business_now() WHERE label LIKE 'full %'`)
})

test('the erasure of a person takes the tags on them and their orders away, and their export has them', async () => {
  const { phone, outTradeNo } = await payInSilence(world)
  const userId = await userIdOf(world, phone)
  const serial = newSerial()
  await bind(phone, serial)
  const { id, label } = await aTag()
  const subjects = [
    { kind: 'user' as const, id: userId },
    { kind: 'order' as const, id: outTradeNo },
    { kind: 'device' as const, id: serial },
  ]
  for (const subject of subjects) await operator.tag.set.mutate({ subject, id })
  const exported = AccountExport.parse((await phone.call('/me/export')).body)
  expect(exported.tags.toSorted((a, b) => a.subject_kind.localeCompare(b.subject_kind))).toMatchObject([
    { subject_kind: 'order', label },
    { subject_kind: 'user', label },
  ])
  await deliver(world, outTradeNo)
  const erased = await phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })
  expect(erased.status).toBe(204)
  const left = await Promise.all(subjects.map((subject) => viewer.tag.of.query({ subject })))
  expect(left.map(labelsOf)).toEqual([[], [], [label]])
  const again = operator.tag.set.mutate({ subject: { kind: 'user', id: userId }, id })
  expect(await problemOf(again)).toBe('not_found')
})
