import type { ApprovalObstacle } from '@meridian/contracts'
import { useTranslations } from 'next-intl'

/** Why the operator may not approve what waits, in words; null when they may. */
export function useObstacle(): (obstacle: ApprovalObstacle | null) => string | null {
  const t = useTranslations('approvals.obstacles')
  return (obstacle) => (obstacle === null ? null : t(obstacle))
}
