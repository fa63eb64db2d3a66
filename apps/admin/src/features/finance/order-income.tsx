import { formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Panel } from '../../ui/panel.tsx'

/** How much of an order’s amount is earned (its days have passed) and how much is deferred; nothing for an order without days. */
export function OrderIncome({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('order.income')
  const { data } = useQuery(useTRPC().finance.orderIncome.queryOptions({ outTradeNo }))
  if (!data) return null
  const { recognisedFen, deferredFen } = data
  return (
    <Panel title={t('title')}>
      <DescriptionList
        items={[
          { key: 'recognised', term: t('recognised'), value: formatFen(recognisedFen) },
          { key: 'deferred', term: t('deferred'), value: formatFen(deferredFen) },
        ]}
      />
    </Panel>
  )
}
