'use client'

import { formatFen, isBeyondStep, type PlanDetail, PlanPrice, parseYuan } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
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

type TypedPriceProps = { amount: string; typed: string; change: (typed: string) => void }

/** The new price once more, where it lies far from the one that holds: a dot in the wrong place is seen. */
function TypedPrice({ amount, typed, change }: TypedPriceProps) {
  const t = useTranslations('plans')
  return (
    <Field label={t('typedPrice')} hint={t('typePrice', { amount })}>
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          maxLength={64}
          prefix="¥"
          inputMode="decimal"
          value={typed}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Sends a new price, and says what became of it. */
function usePriceChange(onClose: () => void) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return useMutation(
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
}

/** What was typed as the new price, and why it cannot be sent yet. */
function usePriceForm(plan: PlanDetail) {
  const t = useTranslations('plans')
  const [form, setForm] = useState(() => ({
    ...emptyPlan,
    price: inYuan(plan.priceFen),
    listPrice: inYuan(plan.listPriceFen),
  }))
  const [typed, setTyped] = useState('')
  const read = PlanPrice.safeParse({
    priceFen: parseYuan(form.price),
    listPriceFen: optionalYuan(form.listPrice),
  })
  const price = read.data
  const same = price?.priceFen === plan.priceFen && price.listPriceFen === plan.listPriceFen
  const isFar = price !== undefined && isBeyondStep(plan, { ...plan, ...price })
  const isTyped = price !== undefined && parseYuan(typed) === price.priceFen
  const amount = price ? formatFen(price.priceFen) : ''
  const unsent = same ? t('samePrice') : isFar && !isTyped ? t('typePrice', { amount }) : null
  const fields = {
    form,
    change: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }),
    faulty: new Set(read.error?.issues.map(({ path }) => String(path[0]))),
  }
  return {
    price,
    same,
    isFar,
    typed,
    setTyped,
    amount,
    fields,
    disabledReason: price ? unsent : t('priceNeeded'),
  }
}

/** Changes what a plan costs, showing first what becomes what. */
export function PriceDialog({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useTranslations('plans')
  const failureOf = useFailure()
  const change = usePriceChange(onClose)
  const { price, same, isFar, amount, fields, disabledReason, typed, setTyped } = usePriceForm(plan)
  return (
    <Dialog
      title={t('priceNamed', { name: plan.name })}
      lead={t('farHint')}
      submitLabel={t('changePriceTo', { amount })}
      disabledReason={disabledReason}
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
      {isFar && <TypedPrice amount={amount} typed={typed} change={setTyped} />}
    </Dialog>
  )
}
