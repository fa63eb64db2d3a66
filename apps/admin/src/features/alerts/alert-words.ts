import type { AlertKind } from '@meridian/contracts'
import { healedByOf } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'

/** How an alert ended: what a person wrote, or by which fact it was over, in words. */
export function useResolution(): (resolution: string | null) => string | null {
  const t = useTranslations('alerts')
  return (resolution) => {
    const by = healedByOf(resolution)
    return by ? t('healed', { how: t(`healedBy.${by}`) }) : resolution
  }
}

/** The word for a kind; one that is newer than this console is shown as it is. */
export function useAlertKind(): (kind: string) => string {
  const known: Readonly<Record<AlertKind, string>> = useMessages().alerts.kinds
  const words: Readonly<Record<string, string>> = known
  return (kind) => words[kind] ?? kind
}
