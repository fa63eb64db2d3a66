import { describe, expect, test } from 'vitest'
import { failureOf, problemOf } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { anOrder, aUser, auditedTags, labelsOf, newLabel, outcomeOf } from '../world/tags.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const finance = useConsole(world, 'finance')
const owner = useConsole(world, 'owner')
const viewer = useConsole(world, 'viewer')

const aTag = async (label = newLabel()) => {
  const { id } = await owner.tag.create.mutate({ label, color: 'blue' })
  return { id, label }
}
const chosen = async (id: string) => (await viewer.tag.choices.query()).items.find((tag) => tag.id === id)
describe('an owner, and nobody else,', () => {
  test('gives a tag another label and colour, which show wherever it is set', async () => {
    const subject = await anOrder(world)
    const { id, label } = await aTag()
    await operator.tag.set.mutate({ subject, id })
    const other = newLabel('renamed')
    expect(await problemOf(finance.tag.edit.mutate({ id, label: other, color: 'pink' }))).toBe('forbidden')
    await owner.tag.edit.mutate({ id, label: other, color: 'pink' })
    expect((await viewer.tag.of.query({ subject })).items).toMatchObject([{ label: other, color: 'pink' }])
    expect((await auditedTags(world))[0]).toEqual({
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
    const subject = await aUser(world)
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
    expect((await auditedTags(world)).slice(0, 2)).toMatchObject([
      { action: 'tag.restore' },
      { action: 'tag.archive' },
    ])
    expect(await chosen(id)).toMatchObject({ isArchived: false })
  })

  test('merges a tag into another: each thing bears the other once, and the first is gone', async () => {
    const [one, both, other] = [await anOrder(world), await aUser(world), await anOrder(world)]
    const [from, into] = [await aTag(), await aTag()]
    for (const subject of [one, both]) await operator.tag.set.mutate({ subject, id: from.id })
    for (const subject of [both, other]) await operator.tag.set.mutate({ subject, id: into.id })
    const merge = { id: from.id, into: into.id }
    expect(await problemOf(operator.tag.merge.mutate(merge))).toBe('forbidden')
    await owner.tag.merge.mutate(merge)
    for (const subject of [one, both, other])
      expect(labelsOf(await viewer.tag.of.query({ subject }))).toEqual([into.label])
    expect(await chosen(from.id)).toBeUndefined()
    expect((await auditedTags(world))[0]).toEqual({
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
