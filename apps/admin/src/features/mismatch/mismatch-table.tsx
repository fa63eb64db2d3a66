import { formatFen } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { PlainTable } from '../../ui/plain-table.tsx'

type Value = string | number | null
type Row = { field: string; ours: Value; theirs: Value }

const amounts: readonly string[] = ['amountFen', 'paidFen', 'refund', 'total']

const textOf = (field: string, value: Value): string => {
  if (value === null) return '–'
  return typeof value === 'number' && amounts.includes(field) ? formatFen(value) : String(value)
}

const isRecord = (said: unknown): said is Record<string, unknown> => typeof said === 'object' && said !== null

const isValue = (said: unknown): said is Value =>
  said === null || typeof said === 'string' || typeof said === 'number'

/** The fields that differ in what is kept of a mismatch, with both values; none where it keeps none. */
export const mismatchOf = ({ differs }: Record<string, unknown>): readonly Row[] =>
  Object.entries(isRecord(differs) ? differs : {}).flatMap(([field, values]) =>
    isRecord(values) && isValue(values['ours']) && isValue(values['theirs'])
      ? [{ field, ours: values['ours'], theirs: values['theirs'] }]
      : [],
  )

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
