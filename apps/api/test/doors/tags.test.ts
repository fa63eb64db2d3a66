import { AccountExport, MOST_TAG_CHARACTERS, MOST_TAGS_IN_USE } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { failureOf, problemOf } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { userIdOf } from '../world/somebody.ts'
import { anOrder, aUser, auditedTags, labelsOf, newLabel, outcomeOf } from '../world/tags.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import { bind, newSerial } from '../world/wearable.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const finance = useConsole(world, 'finance')
const owner = useConsole(world, 'owner')
const viewer = useConsole(world, 'viewer')

/** Several do the same: all but one of them change nothing. */
const oneOfMany = { context: { changesNothing: true } }
const aTag = async (label = newLabel()) => {
  const { id } = await owner.tag.create.mutate({ label, color: 'blue' })
  return { id, label }
}
const chosen = async (id: string) => (await viewer.tag.choices.query()).items.find((tag) => tag.id === id)
describe('a tag is set', () => {
  test('and taken again by whoever writes notes, with an entry in the audit log for each', async () => {
    const subject = await anOrder(world)
    const { id, label } = await aTag()
    const { items } = await operator.tag.set.mutate({ subject, id })
    expect(items).toEqual([{ id, label, color: 'blue', isArchived: false }])
    expect(await viewer.tag.of.query({ subject })).toEqual({ items })
    expect((await auditedTags(world))[0]).toEqual({
      action: 'tag.set',
      subject_type: 'order',
      subject_id: subject.id,
      before: null,
      after: { tag: label },
    })
    expect(await finance.tag.take.mutate({ subject, id })).toEqual({ items: [] })
    expect((await auditedTags(world))[0]).toMatchObject({
      action: 'tag.take',
      before: { tag: label },
      after: null,
    })
    const before = (await auditedTags(world)).length
    await finance.tag.take.mutate({ subject, id }, oneOfMany)
    expect(await auditedTags(world)).toHaveLength(before)
  })

  test('and stands in the feed of the customer, with who did it', async () => {
    const subject = await aUser(world)
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
    const subject = await aUser(world)
    const { id } = await aTag()
    const made = { subject, label: newLabel(), color: 'red' as const }
    expect(await problemOf(viewer.tag.set.mutate({ subject, id }))).toBe('forbidden')
    expect(await problemOf(viewer.tag.setNew.mutate(made))).toBe('forbidden')
    expect(await problemOf(viewer.tag.take.mutate({ subject, id }))).toBe('forbidden')
  })

  test('once, whoever else sets it at the same moment', async () => {
    const subject = await aUser(world)
    const { id, label } = await aTag()
    const before = (await auditedTags(world)).length
    const answers = await Promise.all(
      [operator, finance, owner, operator, finance].map((console) =>
        console.tag.set.mutate({ subject, id }, oneOfMany),
      ),
    )
    expect(answers.map(labelsOf)).toEqual(answers.map(() => [label]))
    expect(await auditedTags(world)).toHaveLength(before + 1)
  })

  test('and made in place once, by several at once too, whatever the case of its letters', async () => {
    const subject = await aUser(world)
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
    const made = (await auditedTags(world)).filter(({ action, after }) => {
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
    const subject = await aUser(world)
    expect(await problemOf(operator.tag.set.mutate({ subject, id: '999999' }))).toBe('not_found')
    await owner.tag.archive.mutate({ id })
    expect(await problemOf(operator.tag.set.mutate({ subject, id }))).toBe('changed_meanwhile')
  })

  test('ten times on one thing at most, however many try at once', async () => {
    const subject = await anOrder(world)
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

test('no more than two hundred tags are in use', async () => {
  const [row] = await world.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM tags WHERE archived_at IS NULL',
  )
  // Room for three is left: more calls at once than there are connections would wait for those, not for each other.
  await world.query(
    `INSERT INTO tags (label, color) SELECT 'full of ' || n, 'gray' FROM generate_series(1, $1) n`,
    [MOST_TAGS_IN_USE - (row?.count ?? 0) - 3],
  )
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () =>
      outcomeOf(owner.tag.create.mutate({ label: newLabel('full'), color: 'gray' })),
    ),
  )
  expect(outcomes.toSorted()).toEqual([...Array(3).fill('done'), ...Array(3).fill('invalid_request')])
  const subject = await aUser(world)
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
