import { useTranslations } from 'next-intl'
import { PartList } from '../../ui/part-list.tsx'
import type { SettingPart } from './setting-value.ts'

/** A value in one line, or its parts below each other. */
export function SettingText({ parts }: { parts: readonly SettingPart[] }) {
  const t = useTranslations('settings')
  const [first] = parts
  if (first && !first.isWhole) return <PartList parts={parts} />
  return <strong>{first?.text ?? t('nothing')}</strong>
}
