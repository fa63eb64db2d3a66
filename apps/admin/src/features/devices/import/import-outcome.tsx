import type { DeviceImport } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Raw } from '../../../ui/raw.tsx'
import styles from './import.module.css'

/** What a file would do, did, or why it may not: line by line. */
export function ImportOutcome({ outcome }: { outcome: DeviceImport }) {
  const t = useTranslations('devices.importing')
  const { faults, faultCount } = outcome
  if (faultCount === 0)
    return (
      <div className={styles['outcome']}>
        <Notice tone="info" icon="checkCircle" role="status">
          {t(outcome.applied ? 'applied' : 'clean')}
        </Notice>
        <Facts
          facts={[
            { key: 'lines', term: t('lines'), value: outcome.lines },
            { key: 'created', term: t('created'), value: outcome.created },
            { key: 'updated', term: t('updated'), value: outcome.updated },
          ]}
        />
      </div>
    )
  return (
    <div className={styles['outcome']}>
      <Notice tone="bad" role="alert">
        {t('faulty', { count: faultCount })}
      </Notice>
      <PlainTable
        caption={t('faults')}
        rows={faults}
        rowKey={({ line, column, fault }) => `${line} ${column} ${fault}`}
        empty=""
        columns={[
          { key: 'line', title: t('line'), align: 'end', cell: ({ line }) => line },
          { key: 'column', title: t('column'), cell: ({ column }) => column && <Raw>{column}</Raw> },
          { key: 'fault', title: t('fault'), cell: ({ fault }) => t(`faultKinds.${fault}`) },
          { key: 'value', title: t('value'), cell: ({ value }) => value && <Raw>{value}</Raw> },
        ]}
      />
      {faultCount > faults.length && <p>{t('moreFaults', { count: faultCount - faults.length })}</p>}
    </div>
  )
}
