import { type PaymentChannel, paymentChannels } from '@meridian/contracts'
import { ChoiceFilter } from '../../../kit/list/filters.tsx'
import type { ListState } from '../../../kit/list/use-list-state.ts'
import styles from './filters.module.css'

type ChannelFilterProps = {
  t: (key: 'channel' | 'allChannels' | `channels.${PaymentChannel}`) => string
  list: Pick<ListState<{ channel: PaymentChannel | null }>, 'params' | 'change'>
}

/** By which channel the orders of a list are paid. */
export const ChannelFilter = ({ t, list: { params, change } }: ChannelFilterProps) => (
  <ChoiceFilter
    className={styles['channel']}
    label={t('channel')}
    unchosen={t('allChannels')}
    value={params.channel}
    options={paymentChannels.map((value) => ({ value, label: t(`channels.${value}`) }))}
    choose={(channel) => change({ channel })}
  />
)
