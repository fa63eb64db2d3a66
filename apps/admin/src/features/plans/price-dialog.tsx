'use client'

import { formatFen, type PlanDetail, PlanPrice, parseYuan } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlanTextField } from './plan-fields.tsx'
import { emptyPlan, optionalYuan } from './plan-form.ts'
import styles from './plans.module.css'

const inYuan = (fen: number | null): string => (fen === null ? '' : (fen / 100).toFixed(2))
const shown = (fen: number | null): string | null => (fen === null ? null : formatFen(fen))

function Preview({ plan, price }: { plan: PlanDetail; price: PlanPrice }) {
  const t = useTranslations('plans.form')
  const changes = (['priceFen', 'listPriceFen'] as const)
    .filter((key) => plan[key] !== price[key])
    .map((key) => ({
      key,
      name: t(`labels.${key}`),
      before: shown(plan[key]),
      after: shown(price[key]),
    }))
  return (
    <div className={styles['preview']} aria-live="polite">
      <ChangeTable caption={t('preview')} changes={changes} />
    </div>
  )
}

/** Changes what a plan costs, showing first what becomes what. */
export function PriceDialog({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [form, setForm] = useState(() => ({
    ...emptyPlan,
    price: inYuan(plan.priceFen),
    listPrice: inYuan(plan.listPriceFen),
  }))
  const change = useMutation(
    trpc.plan.changePrice.mutationOptions({
      onSuccess: async (sheet) => {
        const amount = formatFen(sheet.plan.priceFen)
        announce(sheet.waiting ? said('nowWaiting') : t('priced', { name: sheet.plan.name, amount }))
        onClose()
        await queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
      onError: () => queryClient.invalidateQueries(trpc.plan.pathFilter()),
    }),
  )
  const read = PlanPrice.safeParse({
    priceFen: parseYuan(form.price),
    listPriceFen: optionalYuan(form.listPrice),
  })
  const price = read.data
  const same = price?.priceFen === plan.priceFen && price.listPriceFen === plan.listPriceFen
  const fields = {
    form,
    change: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }),
    faulty: new Set(read.error?.issues.map(({ path }) => String(path[0]))),
  }
  return (
    <Dialog
      title={t('priceNamed', { name: plan.name })}
      lead={t('farHint')}
      submitLabel={t('changePriceTo', { amount: price ? formatFen(price.priceFen) : '' })}
      notYet={price ? (same ? t('samePrice') : null) : t('priceNeeded')}
      submitting={change.isPending}
      failure={failureOf(change.error)?.title ?? null}
      onSubmit={() => price && change.mutate({ ...price, code: plan.code, updatedAt: plan.updatedAt })}
      onClose={onClose}
    >
      <div className={styles['pair']}>
        <PlanTextField {...fields} name="price" field="priceFen" />
        <PlanTextField {...fields} name="listPrice" field="listPriceFen" />
      </div>
      {price && !same && <Preview plan={plan} price={price} />}
    </Dialog>
  )
}
