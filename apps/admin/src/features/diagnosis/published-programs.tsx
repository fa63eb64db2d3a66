import type { DiagnosisDesk, DraftProgram } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import { useFieldName } from './field-words.ts'

const unitOf = { frequency_hz: 'Hz', pulse_width_us: 'µs' } as const

/** What phones read today. */
export function PublishedPrograms({ published }: { published: DiagnosisDesk['published'] }) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  const { body_parts, programs } = published.content
  const partName = (code: string) => body_parts.find((part) => part.code === code)?.name ?? code
  const intensity = ({ intensity_min, intensity_max, intensity_default }: DraftProgram) =>
    `${intensity_min}–${intensity_max} (${intensity_default})`
  return (
    <Panel title={t('publishedPrograms', { version: published.version })}>
      <PlainTable
        caption={t('programs')}
        rows={programs}
        rowKey={({ code }) => code}
        empty={t('emptyConfiguration')}
        columns={[
          { key: 'name', title: fieldName('name'), cell: ({ name }) => name },
          { key: 'code', title: fieldName('code'), cell: ({ code }) => <Raw>{code}</Raw> },
          { key: 'part', title: fieldName('body_part'), cell: ({ body_part }) => partName(body_part) },
          {
            key: 'frequency',
            title: fieldName('frequency_hz'),
            align: 'end',
            cell: ({ frequency_hz }) => `${frequency_hz} ${unitOf.frequency_hz}`,
          },
          {
            key: 'pulse',
            title: fieldName('pulse_width_us'),
            align: 'end',
            cell: ({ pulse_width_us }) => `${pulse_width_us} ${unitOf.pulse_width_us}`,
          },
          { key: 'intensity', title: t('intensity'), align: 'end', cell: intensity },
          { key: 'premium', title: fieldName('premium'), cell: ({ premium }) => t(premium ? 'yes' : 'no') },
        ]}
      />
    </Panel>
  )
}
