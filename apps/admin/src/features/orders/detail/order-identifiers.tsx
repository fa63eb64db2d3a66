import type { OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'

const shown = [
  'outTradeNo',
  'transactionId',
  'userId',
  'prepayId',
  'payerOpenid',
  'appId',
  'mchId',
  'platformHost',
] as const satisfies readonly (keyof OrderDetail)[]

/** Everything this order is called, here and on the platform. */
export function OrderIdentifiers({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const facts = shown.map((key) => {
    const value = order[key]
    const page = key === 'userId' && { href: paths.user({ id: order.userId }) }
    return {
      key,
      term: t(key),
      value: value && <Identifier value={value} name={t(key)} whole={value.length <= 28} {...page} />,
    }
  })
  return (
    <Panel title={t('identifiers')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}
