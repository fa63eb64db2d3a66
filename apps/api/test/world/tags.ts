import type { TagChip } from '@meridian/contracts'
import { problemOf } from './console.ts'
import { plantOrders } from './plant-orders.ts'
import { somebody } from './somebody.ts'
import type { TestWorld } from './test-world.ts'

let named = 0
/** A label that no other tag of the file has. */
export const newLabel = (what = 'tag') => `${what} ${++named}`

export const labelsOf = ({ items }: { items: readonly Pick<TagChip, 'label'>[] }) =>
  items.map(({ label }) => label)

/** How a call of several at once ended: done, or by which problem. */
export const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => problemOf(Promise.reject(error)),
  )

export const aUser = async (world: TestWorld) => ({
  kind: 'user' as const,
  id: (await somebody(world)).userId,
})

export async function anOrder(world: TestWorld) {
  const [id = ''] = await plantOrders(world, { count: 1 })
  return { kind: 'order' as const, id }
}

/** What the audit log says of tags, the newest first. */
export const auditedTags = ({ query }: TestWorld) =>
  query<Record<string, unknown>>(
    `SELECT action, subject_type, subject_id, before, after FROM audit_entries WHERE action LIKE 'tag.%' ORDER BY id DESC`,
  )
