import { DeviceImport, type DeviceImportMode, deviceImportColumns } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { askForFile } from '../../../api-client/ask-for-file.ts'
import { toCsv } from '../../../csv.ts'
import { paths } from '../../../paths.ts'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Raw } from '../../../ui/text.tsx'
import styles from './import.module.css'

/** An inventory file with nothing but the names of its columns. */
export const templateCsv = (): string => toCsv([deviceImportColumns])

/** What is wrong with a file, a row for each fault: the line, the column, why, and the line as the file has it. */
export function faultsCsv(
  { faults }: Pick<DeviceImport, 'faults'>,
  { text, head, reasonOf }: FaultWords,
): string {
  const lines = text.split(/\r\n|\n|\r/)
  const rows = faults.map(({ line, column, fault }) => [
    String(line),
    column ?? '',
    reasonOf(fault),
    lines[line - 1] ?? '',
  ])
  return toCsv([head, ...rows])
}

type FaultWords = {
  /** The file itself. */
  text: string
  head: readonly string[]
  reasonOf: (fault: DeviceImport['faults'][number]['fault']) => string
}

/**
 * Sends an inventory file, to see what it would do or to do it.
 * @throws FileRefused
 */
export async function sendInventory(file: File, { mode }: { mode: DeviceImportMode }): Promise<DeviceImport> {
  const answer = await askForFile(paths.deviceImportFile({ mode }), {
    headers: { 'content-type': 'text/csv' },
    body: file,
  })
  return DeviceImport.parse(await answer.json())
}

/** How many faults stand on the page; the file of faults has all of them. */
const faultsShown = 100

function Counts({ outcome }: { outcome: DeviceImport }) {
  const t = useTranslations('devices.importing')
  const { lines, created, updated, boundCount, faultyLines } = outcome
  return (
    <DescriptionList
      items={[
        { key: 'lines', term: t('lines'), value: lines },
        { key: 'created', term: t('created'), value: created },
        { key: 'updated', term: t('updated'), value: updated },
        { key: 'bound', term: t('bound'), value: boundCount },
        { key: 'faulty', term: t('faultyLines'), value: faultyLines },
      ]}
    />
  )
}

/** Devices that somebody has bound: named, because an import leaves them as they are. */
function Bound({ outcome: { bound, boundCount, applied } }: { outcome: DeviceImport }) {
  const t = useTranslations('devices.importing')
  if (boundCount === 0) return null
  return (
    <Notice tone="wait">
      <p>{t(applied ? 'boundLeft' : 'boundStay', { count: boundCount })}</p>
      <p className={styles['serials']}>
        {bound.map((serial) => (
          <code key={serial}>{serial}</code>
        ))}
        {boundCount > bound.length && <span>{t('moreBound', { count: boundCount - bound.length })}</span>}
      </p>
    </Notice>
  )
}

function Faults({ faults, faultCount }: DeviceImport) {
  const t = useTranslations('devices.importing')
  const shown = faults.slice(0, faultsShown)
  return (
    <>
      <PlainTable
        caption={t('faults')}
        rows={shown}
        rowKey={({ line, column, fault }) => `${line} ${column} ${fault}`}
        empty=""
        columns={[
          { key: 'line', title: t('line'), align: 'end', cell: ({ line }) => line },
          { key: 'column', title: t('column'), cell: ({ column }) => column && <Raw>{column}</Raw> },
          { key: 'fault', title: t('fault'), cell: ({ fault }) => t(`faultKinds.${fault}`) },
          { key: 'value', title: t('value'), cell: ({ value }) => value && <Raw>{value}</Raw> },
        ]}
      />
      {faultCount > shown.length && <p>{t('moreFaults', { count: faultCount - shown.length })}</p>}
    </>
  )
}

/** What a file would do, did, or why it may not: line by line. */
export function ImportOutcome({ outcome }: { outcome: DeviceImport }) {
  const t = useTranslations('devices.importing')
  const { applied, faultCount, readToEnd } = outcome
  return (
    <div className={styles['outcome']}>
      {applied || faultCount === 0 ? (
        <Notice tone="info" icon="checkCircle" role="status">
          {t(applied ? 'applied' : 'clean')}
        </Notice>
      ) : (
        <Notice tone="bad" role="alert">
          {t(readToEnd ? 'faulty' : 'unread', { count: faultCount })}
        </Notice>
      )}
      <Counts outcome={outcome} />
      <Bound outcome={outcome} />
      {faultCount > 0 && <Faults {...outcome} />}
    </div>
  )
}
