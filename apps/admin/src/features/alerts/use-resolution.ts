import { healedByOf } from '@meridian/contracts'
import { useTranslations } from 'next-intl'

/** How an alert ended: what a person wrote, or by which fact it was over, in words. */
export function useResolution(): (resolution: string | null) => string | null {
  const t = useTranslations('alerts')
  return (resolution) => {
    const by = healedByOf(resolution)
    return by ? t('healed', { how: t(`healedBy.${by}`) }) : resolution
  }
}
