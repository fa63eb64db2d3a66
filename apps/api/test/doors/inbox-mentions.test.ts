import { type InboxItem, mentionOf } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { idOf, problemOf } from '../world/console.ts'
import { emailOf, itemsOf, useInbox } from '../world/inbox.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const { consoles } = useInbox(world)

const mentionsIn = (items: readonly InboxItem[]) => items.flatMap((item) => mentionOf(item) ?? [])
const mentionsOf = async (role: keyof typeof consoles) =>
  mentionsIn(await itemsOf(consoles[role], { view: 'you' }))

async function newOrder(): Promise<string> {
  return (await world.phone()).buysAndPays('monthly')
}

/** Finance writes on an order a note that names these. */
async function mention(outTradeNo: string, text: string, ...roles: (keyof typeof consoles)[]) {
  const mentions = await Promise.all(roles.map((role) => idOf(world, emailOf(role))))
  const subject = { kind: 'order', id: outTradeNo } as const
  return (await consoles.finance.note.write.mutate({ subject, text, mentions })).id
}

test('a note that names somebody waits for them alone: who wrote it, on what, and how it begins', async () => {
  const outTradeNo = await newOrder()
  const id = await mention(outTradeNo, `please look ${'x'.repeat(200)}`, 'operator')
  const [item, ...others] = (await itemsOf(consoles.operator, { view: 'you' })).filter(
    ({ kind }) => kind === 'mention',
  )
  expect(others).toEqual([])
  expect(item).toMatchObject({ kind: 'mention', id, mayAct: true, permission: null, urgency: 'normal' })
  expect(item && mentionOf(item)).toEqual({
    noteId: id,
    subject: { kind: 'order', id: outTradeNo },
    author: expect.stringMatching(/\S/),
    text: `please look ${'x'.repeat(128)}`,
  })
  for (const role of ['owner', 'finance', 'viewer'] as const)
    for (const view of ['you', 'all'] as const)
      expect(mentionsIn(await itemsOf(consoles[role], { view }))).toEqual([])
  expect((await consoles.operator.inbox.counts.query({})).kinds).toContainEqual({
    tab: 'mention',
    count: 1,
    more: false,
  })
})

test('it is counted for every page, and is over when it was seen: by itself, or with all up to it', async () => {
  const outTradeNo = await newOrder()
  const counted = async () => (await consoles.viewer.dashboard.waiting.query()).inbox
  const before = await counted()
  const [first, second, third] = [
    await mention(outTradeNo, 'one', 'viewer'),
    await mention(outTradeNo, 'two', 'viewer', 'owner'),
    await mention(outTradeNo, 'three', 'viewer'),
  ]
  expect(await counted()).toBe(before + 3)
  expect((await mentionsOf('viewer')).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(await consoles.viewer.note.seeMentions.mutate({ id: second })).toEqual({ seen: 1 })
  expect((await mentionsOf('viewer')).map(({ noteId }) => noteId)).toEqual([first, third])
  expect((await consoles.viewer.note.mentions.query()).unseen).toBe(2)
  expect((await mentionsOf('owner')).map(({ noteId }) => noteId)).toEqual([second])
  expect(await consoles.viewer.note.seeMentions.mutate({ upTo: third })).toEqual({ seen: 2 })
  expect(await counted()).toBe(before)
  const audited = await world.query<{ subject_id: string }>(
    `SELECT subject_id FROM audit_entries WHERE action = 'note.see' AND operator_id = $1 ORDER BY id`,
    [await idOf(world, emailOf('viewer'))],
  )
  expect(audited.map((entry) => entry.subject_id)).toEqual([second, third])
})

test('a note that its author withdrew waits for nobody', async () => {
  const id = await mention(await newOrder(), 'a mistake', 'owner')
  expect((await mentionsOf('owner')).map(({ noteId }) => noteId)).toContain(id)
  await consoles.finance.note.withdraw.mutate({ id })
  expect((await mentionsOf('owner')).map(({ noteId }) => noteId)).not.toContain(id)
})

test('a mention is given to nobody else and put off by nobody', async () => {
  const id = await mention(await newOrder(), 'look', 'operator')
  // What a program sends that does not keep to the types.
  const item: { kind: 'alert'; id: string } = JSON.parse(JSON.stringify({ kind: 'mention', id }))
  const snoozed = consoles.operator.inbox.snooze.mutate({ ...item, until: new Date(Date.now() + 3_600_000) })
  expect(await problemOf(snoozed)).toBe('invalid_request')
  const given = consoles.operator.inbox.assign.mutate({ ...item, assigneeId: null, seenAssigneeId: null })
  expect(await problemOf(given)).toBe('invalid_request')
})
