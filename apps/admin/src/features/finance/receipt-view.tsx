'use client'

import {
  capitalYuan,
  formatFen,
  paymentChannelWords,
  type Receipt,
  type ReceiptLanguage,
  receiptLanguageNames,
  receiptLanguages,
  receiptWords,
} from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { dayOf, formatExactTime } from '../../format.ts'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { BackLink } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { useSoldNameIn } from '../plans/plan-name.ts'
import styles from './receipt.module.css'

/** What the receipt says, line by line; a refund only where there is one. */
function linesOf(
  receipt: Receipt,
  language: ReceiptLanguage,
): { key: keyof typeof receiptWords; said: string }[] {
  const { amountFen, refundedFen } = receipt
  const zone = receiptWords.zone[language]
  return [
    { key: 'outTradeNo', said: receipt.outTradeNo },
    ...(receipt.transactionId ? [{ key: 'transactionId', said: receipt.transactionId } as const] : []),
    { key: 'channel', said: paymentChannelWords[language][receipt.channel] },
    { key: 'paidAt', said: `${formatExactTime(receipt.paidAt)} (${zone})` },
    { key: 'plan', said: receipt.planName },
    { key: 'days', said: String(receipt.days) },
    { key: 'amount', said: formatFen(amountFen) },
    { key: 'inWords', said: capitalYuan(amountFen) },
    ...(refundedFen > 0
      ? ([
          { key: 'refunded', said: formatFen(-refundedFen) },
          { key: 'kept', said: formatFen(amountFen - refundedFen) },
        ] as const)
      : []),
    { key: 'issuedAt', said: dayOf(receipt.issuedAt) },
  ]
}

/** The sheet of paper itself, in the customer's language. */
function Paper({ receipt, language }: { receipt: Receipt; language: ReceiptLanguage }) {
  const lang = language === 'zh' ? 'zh-CN' : 'en'
  const planName = useSoldNameIn(lang)(receipt.planName)
  const say = (key: keyof typeof receiptWords) => receiptWords[key][language]
  const { name, taxId } = receipt.company
  return (
    <article className={styles['paper']} lang={lang} aria-label={say('title')}>
      <h2>{say('title')}</h2>
      {name && (
        <p className={styles['issuer']}>
          {name}
          {taxId && (
            <span>
              {say('taxId')} {taxId}
            </span>
          )}
        </p>
      )}
      <dl>
        {linesOf({ ...receipt, planName }, language).map(({ key, said }) => (
          <div key={key} data-key={key}>
            <dt>{say(key)}</dt>
            <dd>
              {key === 'inWords' ? (
                <span lang="zh-CN" data-raw="" translate="no">
                  {said}
                </span>
              ) : (
                said
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles['note']}>{say('note')}</p>
    </article>
  )
}

/** A receipt for a customer, to print on A4 or to save as a PDF. */
export function ReceiptView({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('finance.receipt')
  const own = useLocale() === 'en' ? 'en' : 'zh'
  const [chosen, choose] = useQueryState('lang', parseAsStringLiteral(receiptLanguages))
  const language = chosen ?? own
  const query = useQuery(useTRPC().finance.receipt.queryOptions({ outTradeNo }))
  const languages = receiptLanguages.map((value) => ({ value, label: receiptLanguageNames[value] }))
  return (
    <>
      <div className={styles['tools']}>
        <PageHeader
          before={<BackLink href={paths.order({ outTradeNo })}>{t('back')}</BackLink>}
          title={t('open')}
          actions={
            <span className={layout['acts']}>
              <Select
                aria-label={t('language')}
                value={language}
                options={languages}
                onChange={(value) => void choose(value)}
              />
              <Button look="primary" onClick={() => window.print()}>
                {t('print')}
              </Button>
            </span>
          }
        />
      </div>
      <Loaded query={query}>
        {(receipt) => (
          <>
            {!receipt.company.name && (
              <div className={styles['tools']}>
                <Notice tone="wait">
                  {t('noCompany')} <Link href={paths.settings()}>{t('toSettings')}</Link>
                </Notice>
              </div>
            )}
            <Paper receipt={receipt} language={language} />
          </>
        )}
      </Loaded>
    </>
  )
}
