import type { ExportName } from '@meridian/contracts'
import { type RequestMeta, writeAudit } from '../../audit/write-audit.ts'
import type { NameView } from '../../platform/sql/show-nickname.ts'
import type { Services } from '../../services.ts'
import { exports } from './export-lists.ts'

type Taken = {
  name: ExportName
  /** The filter and the order of the list, as the console sent them. */
  query: unknown
  operator: { id: string }
  names: NameView
  from: RequestMeta
}

/** What the audit log is told of one file: before its first line and after its last. */
export type ExportRecord = {
  count: () => void
  rows: () => number
  /** Says once how much left and whether that was all; whoever comes second says nothing. */
  finish: (outcome: { whole: boolean }) => Promise<void>
}

/** What a list is narrowed by, in a form that can be kept. */
export function filterOf({ name, query }: { name: ExportName; query: unknown }): Record<string, string> {
  const { limit: _limit, cursor: _cursor, ...filter } = exports[name].read(query)
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => [
      key,
      value instanceof Date ? value.toISOString() : String(value),
    ]),
  )
}

type Recorded = Pick<Taken, 'operator' | 'from'> & {
  /** What is taken: the name of a list, or of another file. */
  name: string
  filter: Record<string, string>
  /** Whether nicknames are whole or masked in the file; not said of a file without any. */
  names?: NameView
}

/** Who took what is known before the first byte leaves. */
export const openExportRecord = (services: Services, taken: Taken): Promise<ExportRecord> =>
  openFileRecord(services, { ...taken, filter: filterOf(taken) })

/** The same of any file. */
export async function openFileRecord(
  { database }: Services,
  { name, filter, operator, names, from }: Recorded,
): Promise<ExportRecord> {
  const write = (action: string, outcome?: { rows: number; whole: boolean }) =>
    writeAudit(
      database.prisma,
      {
        operatorId: operator.id,
        subject: { type: 'list', id: name },
        action,
        after: { filter, ...(names === 'whole' && { names: 'whole' }), ...outcome },
      },
      from,
    )
  await write('export.start')
  let rows = 0
  let isFinished = false
  return {
    count: () => {
      rows += 1
    },
    rows: () => rows,
    finish: async ({ whole }) => {
      if (isFinished) return
      isFinished = true
      await write('export.finish', { rows, whole })
    },
  }
}
