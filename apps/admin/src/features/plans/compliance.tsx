import type { SaleCompliance } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatList } from '../../format.ts'
import { paths } from '../../paths.ts'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Raw } from '../../ui/text.tsx'
import { useSoldName } from './plan-name.ts'
import styles from './plans.module.css'

const useWords = () => useTranslations('compliance')

type Channel = SaleCompliance['platforms'][number]['channel']
type Finding = { key: string; tone: 'bad' | 'wait'; text: string }

/** What of the sale of plans does not keep the platform's rule, or does not work; nothing where all is well. */
function useFindings(): (compliance: SaleCompliance) => Finding[] {
  const t = useWords()
  const language = useLocale()
  const soldName = useSoldName()
  return ({ platforms, isVirtualConfigured, plansWithoutItem, plansBelowApple }) => {
    const by = (channel: Channel) =>
      platforms.filter((one) => one.channel === channel).map(({ platform }) => t(`platforms.${platform}`))
    const [jsapi, virtual] = [by('jsapi'), by('virtual')]
    const sellsByApple = platforms.some(
      ({ platform, channel }) => platform === 'ios' && channel === 'virtual',
    )
    const isSold = jsapi.length + virtual.length > 0
    const named = (names: readonly string[]) => formatList(names, language)
    const called = (plans: readonly string[]) => named(plans.map((plan) => soldName(plan)))
    const unset = virtual.length > 0 ? t('cannotPay', { platforms: named(virtual) }) : t('notConfigured')
    const findings: (Finding | false)[] = [
      virtual.length > 0 && !isVirtualConfigured && { key: 'unset', tone: 'bad', text: unset },
      jsapi.length > 0 && { key: 'jsapi', tone: 'wait', text: t('byJsapi', { platforms: named(jsapi) }) },
      jsapi.length > 0 &&
        virtual.length === 0 &&
        !isVirtualConfigured && { key: 'unset', tone: 'wait', text: unset },
      isSold &&
        plansWithoutItem.length > 0 && {
          key: 'items',
          tone: 'wait',
          text: t(virtual.length > 0 ? 'unsold' : 'itemsNeeded', { plans: called(plansWithoutItem) }),
        },
      sellsByApple &&
        plansBelowApple.length > 0 && {
          key: 'belowApple',
          tone: 'wait',
          text: t('belowApple', { plans: called(plansBelowApple) }),
        },
    ]
    return findings.filter((finding) => finding !== false)
  }
}

function useCompliance() {
  const findingsOf = useFindings()
  const { data } = useQuery(useTRPC().plan.compliance.queryOptions())
  return data && findingsOf(data)
}

/** On the page of settings: what was found, the rule, and where each is put right. */
export function CompliancePanel() {
  const t = useWords()
  const findings = useCompliance()
  if (!findings) return null
  if (findings.length === 0)
    return (
      <Notice tone="info" icon="checkCircle">
        {t('well')}
      </Notice>
    )
  return (
    <Panel title={t('title')}>
      <div className={layout['rows']}>
        {findings.map(({ key, tone, text }) => (
          <Notice key={key} tone={tone}>
            {text}
          </Notice>
        ))}
        <p>{t('rule')}</p>
        <p>{t.rich('exemption', { mailbox: (name) => <Raw>{name}</Raw> })}</p>
        <p>
          <Link href={paths.plans()}>{t('toPlans')}</Link>
        </p>
      </div>
    </Panel>
  )
}

/** On the overview: the same in one strip; nothing where all is well. */
export function ComplianceStrip() {
  const t = useWords()
  const findings = useCompliance() ?? []
  if (findings.length === 0) return null
  return (
    <div className={styles['above']}>
      <Notice tone={findings.some(({ tone }) => tone === 'bad') ? 'bad' : 'wait'}>
        {findings.map(({ key, text }) => (
          <p key={key}>{text}</p>
        ))}
        <p>{t('ruleShort')}</p>
        <p>
          <Link href={paths.settings()}>{t('toSettings')}</Link>
        </p>
      </Notice>
    </div>
  )
}
