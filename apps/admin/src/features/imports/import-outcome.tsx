import { formatFen, type ImportDetail, type ImportRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { toCsv } from '../../csv.ts'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/text.tsx'
import styles from '../devices/import/import.module.css'

export const saveCsv = (rows: readonly (readonly string[])[], name: string) =>
  saveFile(new Blob([toCsv(rows)], { type: 'text/csv' }), name)

/** Whether a worker still has to do with it. */
export const isImportUnderWay = ({ state, isUndoAsked }: Pick<ImportRow, 'state' | 'isUndoAsked'>): boolean =>
  isUndoAsked || state === 'waiting' || state === 'checking' || state === 'writing'

/** How many faults stand on the page; the file of faults has all of them. */
const faultsShown = 100

function Faults({ faults }: { faults: ImportDetail['faults'] }) {
  const t = useTranslations('imports')
  const shown = faults.slice(0, faultsShown)
  const save = () =>
    saveCsv(
      [
        [t('line'), t('column'), t('fault')],
        ...faults.map(({ line, column, message }) => [String(line), column ?? '', message]),
      ],
      'import-faults.csv',
    )
  return (
    <>
      <PlainTable
        caption={t('faults')}
        rows={shown}
        rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
        empty=""
        columns={[
          { key: 'line', title: t('line'), align: 'end', cell: ({ line }) => line },
          { key: 'column', title: t('column'), cell: ({ column }) => column && <Raw>{column}</Raw> },
          { key: 'fault', title: t('fault'), cell: ({ message }) => message },
        ]}
      />
      {faults.length > shown.length && <p>{t('moreFaults', { count: faults.length - shown.length })}</p>}
      <Button icon={<Icon name="download" />} onClick={save}>
        {t('saveFaults')}
      </Button>
    </>
  )
}

function Verdict({ shown }: { shown: ImportDetail }) {
  const t = useTranslations('imports')
  const { state, faultCount, written, lines } = shown
  if (state === 'faulty')
    return (
      <Notice tone="bad" role="alert">
        {t('faulty', { count: faultCount })}
      </Notice>
    )
  const isOver = !isImportUnderWay(shown)
  const done = formatCount(written)
  const all = formatCount(lines)
  return (
    <Notice tone="info" icon={isOver ? 'checkCircle' : 'sync'} role="status">
      {t(`verdicts.${state}`, { done, all })}
    </Notice>
  )
}

/** How far an import is, what it came to, and what is wrong with its file. */
export function ImportOutcome({ shown }: { shown: ImportDetail }) {
  const t = useTranslations('imports')
  const { lines, users, days, fen, faults } = shown
  return (
    <div className={styles['outcome']}>
      <Verdict shown={shown} />
      <DescriptionList
        items={[
          { key: 'lines', term: t('columns.lines'), value: formatCount(lines) },
          { key: 'users', term: t('columns.users'), value: formatCount(users) },
          { key: 'days', term: t('columns.days'), value: formatCount(days) },
          { key: 'fen', term: t('columns.fen'), value: formatFen(fen) },
        ]}
      />
      {faults.length > 0 && <Faults faults={faults} />}
    </div>
  )
}
