import type { AlertKind } from '@meridian/contracts'
import { signedInConsole } from '../../world/console.ts'
import type { TestWorld, WorldOptions } from '../../world/test-world.ts'

/** Each kind is raised by something. */
export type RaisedKind = AlertKind

export type Raised = {
  /** The same cause once more; absent where it cannot come twice. */
  again?: () => Promise<unknown>
  /** What ends the alert; absent where an operator resolves it at the desk. */
  end?: () => Promise<unknown>
}

/** How one kind of alert comes about and ends in the life of a shop, in a world of its own. */
export type Play = {
  world?: WorldOptions
  /** What a message shows of whom or what it is about. */
  subject: RegExp
  /** What the same cause raises as well. */
  besides?: readonly AlertKind[]
  /** The cause moves something once: its repeat is not even counted. */
  onceOnly?: true
  raise: (world: TestWorld) => Promise<Raised>
}

export type SomePlays = Readonly<Partial<Record<RaisedKind, Play>>>

/** A cause that came once and may come again. */
export async function repeatable(cause: () => Promise<unknown>): Promise<Required<Pick<Raised, 'again'>>> {
  await cause()
  return { again: cause }
}

/** Subjects of which people in a group see a part. */
export const orderNumber = /^M\w{3}••••\w{4}$/
export const refundNumber = /^R\w{3}••••\w{4}$/
export const hidden = /^••••$/

/** An operator resolves the open alert of a kind at the desk. */
export async function resolveAtDesk(world: TestWorld, kind: AlertKind): Promise<void> {
  const { console: desk } = await signedInConsole(world, { email: 'desk@example.com', role: 'operator' })
  const { items } = await desk.alert.list.query({ kind })
  for (const { id } of items) await desk.alert.resolve.mutate({ id, resolution: 'looked into' })
}
