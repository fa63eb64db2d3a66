import { formatFen, type RefundDetail, RefundRedirect } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import layout from '../../../ui/layout.module.css'
import styles from '../refunds.module.css'

const destinations = ['merchant_bank_card', 'user_bank_card'] as const
const cardFields = ['bankType', 'bankAccount', 'realName'] as const

/** The choice of the destination, and, where it is the payer's bank card, which card. */
function useDestinationFields() {
  const t = useTranslations('refunds')
  const options = destinations.map((value) => ({ value, label: t(`destinations.${value}`) }))
  const looks = { className: layout['rows'] ?? '', optionClassName: styles['check'] ?? '' }
  const destination = { kind: 'choice', name: 'to', label: t('destination'), options, ...looks } as const
  const card = cardFields.map(
    (name) =>
      ({
        kind: 'line',
        name,
        label: t(`card.${name}`),
        hint: t(`cardHints.${name}`),
        maxLength: 64,
      }) as const,
  )
  return (to: string) => (to === 'user_bank_card' ? [destination, ...card] : [destination])
}

/** Sends an abnormal refund elsewhere; what is typed here goes to the platform and is kept nowhere. */
export function RedirectDialog({ refund, onClose }: { refund: RefundDetail; onClose: () => void }) {
  const t = useTranslations('refunds')
  const fieldsFor = useDestinationFields()
  const { outRefundNo, amountFen } = refund
  const redirect = useAct({
    call: (api) => api.refund.redirect.mutate,
    invalidates: ['refund'],
    done: ({ state }) => t('nowIs', { status: t(`statuses.${state}`) }),
  })
  return (
    <FormDialog
      title={t('redirectTitle', { amount: formatFen(amountFen) })}
      lead={t('redirectLead')}
      submitLabel={t('redirect')}
      danger
      schema={RefundRedirect}
      start={{ outRefundNo, to: 'merchant_bank_card' as const }}
      incomplete={t('missing.card')}
      fields={fieldsFor('merchant_bank_card')}
      vary={({ to }) => ({ fields: fieldsFor(to) })}
      act={redirect}
      onClose={onClose}
    />
  )
}
