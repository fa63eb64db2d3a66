import { type AlertDetail, finalOutcomes } from '@meridian/contracts'
import { Replay } from '../../notifications/detail/replay.tsx'

/** The newest notification that did not fit, once more: first as a dry run. */
export function ReplayAct({ alert: { notifications } }: { alert: AlertDetail }) {
  const open = notifications.find(({ outcome }) => !finalOutcomes.some((final) => final === outcome))
  return open ? <Replay id={open.id} /> : null
}
