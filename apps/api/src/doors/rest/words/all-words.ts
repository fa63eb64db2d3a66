import { account } from './account.ts'
import { devices } from './devices.ts'
import { diagnosis } from './diagnosis.ts'
import { integration } from './integration.ts'
import type { OperationWords, TagWords } from './operation-words.ts'
import { orders } from './orders.ts'
import { platform } from './platform.ts'
import { reading } from './reading.ts'
import { reports } from './reports.ts'
import { session } from './session.ts'
import { subscription } from './subscription.ts'

/** The groups of operations, in reading order. */
export const tags = {
  session,
  subscription,
  orders,
  devices,
  reports,
  diagnosis,
  account,
  integration,
  platform,
  document: reading,
} as const satisfies Record<string, TagWords>

type Worded = OperationWords & { tag: string }

/** The words of every operation, by method and path. */
export const operationWords: ReadonlyMap<string, Worded> = new Map(
  Object.entries<TagWords>(tags).flatMap(([tag, { operations }]) =>
    Object.entries(operations).map(([name, words]): [string, Worded] => [name, { ...words, tag }]),
  ),
)
