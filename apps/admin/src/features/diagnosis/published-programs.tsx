import type { DiagnosisDesk, DraftProgram } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../kit/list/columns.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import { useFieldName } from './field-words.ts'

const unitOf = { frequency_hz: 'Hz', pulse_width_us: 'µs' } as const

/** What phones read today. */
export function PublishedPrograms({ published }: { published: DiagnosisDesk['published'] }) {
  const t = useTranslations('diagnosis')
  const column = columnsOf(useFieldName())
  const { body_parts, programs } = published.content
  const partName = (code: string) => body_parts.find((part) => part.code === code)?.name ?? code
  const intensity = ({ intensity_min, intensity_max, intensity_default }: DraftProgram) =>
    `${intensity_min}–${intensity_max} (${intensity_default})`
  const columns: Column<DraftProgram>[] = [
    column.cell('name', ({ name }) => name),
    column.cell('code', ({ code }) => <Raw>{code}</Raw>),
    column.cell('body_part', ({ body_part }) => partName(body_part)),
    column.count('frequency_hz', ({ frequency_hz }) => `${frequency_hz} ${unitOf.frequency_hz}`),
    column.count('pulse_width_us', ({ pulse_width_us }) => `${pulse_width_us} ${unitOf.pulse_width_us}`),
    columnsOf(t).count('intensity', intensity),
    column.cell('premium', ({ premium }) => t(premium ? 'yes' : 'no')),
  ]
  return (
    <Panel title={t('publishedPrograms', { version: published.version })}>
      <PlainTable
        caption={t('programs')}
        rows={programs}
        rowKey={({ code }) => code}
        empty={t('emptyConfiguration')}
        columns={columns}
      />
    </Panel>
  )
}
