import type { AlertChannelRow, AlertMessageRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'

type Look = { tone: Tone; icon: IconName }

const channelLooks: Record<AlertChannelRow['state'], Look> = {
  failing: { tone: 'bad', icon: 'alert' },
  well: { tone: 'ok', icon: 'checkCircle' },
  unproven: { tone: 'quiet', icon: 'dash' },
}

export function ChannelBadge({ state }: Pick<AlertChannelRow, 'state'>) {
  const t = useTranslations('alertChannels.states')
  return <Badge {...channelLooks[state]}>{t(state)}</Badge>
}

const messageLooks: Record<AlertMessageRow['state'], Look> = {
  waiting: { tone: 'wait', icon: 'clock' },
  sent: { tone: 'ok', icon: 'checkCircle' },
  failed: { tone: 'bad', icon: 'alert' },
}

export function MessageBadge({ state }: Pick<AlertMessageRow, 'state'>) {
  const t = useTranslations('alertChannels.messageStates')
  return <Badge {...messageLooks[state]}>{t(state)}</Badge>
}
