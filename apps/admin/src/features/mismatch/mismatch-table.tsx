import { formatFen } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { z } from 'zod'
import { PlainTable } from '../../ui/plain-table.tsx'

const Value = z.union([z.string(), z.number(), z.null()])
const Differs = z.record(z.string(), z.object({ ours: Value, theirs: Value }))
type Value = z.infer<typeof Value>
type Row = { field: string; ours: Value; theirs: Value }

const amounts: readonly string[] = ['amountFen', 'paidFen', 'refund', 'total']

const textOf = (field: string, value: Value): string => {
  if (value === null) return '–'
  return typeof value === 'number' && amounts.includes(field) ? formatFen(value) : String(value)
}

/** The fields that differ in what is kept of a mismatch, with both values; none where it keeps none. */
export function mismatchOf({ differs }: Record<string, unknown>): readonly Row[] {
  const known = Differs.safeParse(differs).data ?? {}
  return Object.entries(known).map(([field, values]) => ({ field, ...values }))
}

/** What differs between us and the platform, field by field. */
export function MismatchTable({ rows }: { rows: readonly Row[] }) {
  const t = useTranslations('mismatch')
  const fields: Readonly<Record<string, string>> = useMessages().mismatch.fields
  return (
    <PlainTable
      caption={t('caption')}
      rows={rows}
      rowKey={({ field }) => field}
      empty="–"
      columns={[
        { key: 'field', title: t('field'), cell: ({ field }) => fields[field] ?? field },
        { key: 'ours', title: t('ours'), cell: ({ field, ours }) => textOf(field, ours) },
        { key: 'theirs', title: t('theirs'), cell: ({ field, theirs }) => textOf(field, theirs) },
      ]}
    />
  )
}
