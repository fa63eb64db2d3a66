import { type SettingValue, saleChannels, salePlatforms, settingShapes } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Field } from '../../ui/form.tsx'
import { Input } from '../../ui/input.tsx'
import { RadioList } from '../../ui/native-choices.tsx'
import styles from './settings.module.css'

type Policy = SettingValue<'sale_policy'>
type Rule = Policy['ios']
type RuleProps = { platform: keyof Policy; rule: Rule; set: (rule: Partial<Rule>) => void }

/** By which channel one platform sells, and what it says where it does not. */
function RuleEditor({ platform, rule, set }: RuleProps) {
  const t = useTranslations('settings')
  return (
    <div className={styles['platform']}>
      <RadioList
        label={t(`platforms.${platform}`)}
        options={saleChannels.map((value) => ({ value, label: t(`saleChannels.${value}`) }))}
        value={rule.channel}
        choose={(chosen) => {
          const channel = saleChannels.find((one) => one === chosen) ?? rule.channel
          // The release before reads `allowed` alone, and sells by JSAPI alone.
          set({ channel, allowed: channel === 'jsapi' })
        }}
      />
      {rule.channel === 'none' && (
        <Field label={t('saleMessage')} hint={t('saleMessageHint')}>
          {(attributes) => (
            <Input
              {...attributes}
              maxLength={200}
              value={rule.message ?? ''}
              onChange={(event) => set({ message: event.target.value || null })}
            />
          )}
        </Field>
      )}
    </div>
  )
}

/** How plans are sold on each platform. */
export function SaleEditor({ value, change }: { value: unknown; change: (policy: Policy) => void }) {
  const policy = settingShapes.sale_policy.safeParse(value).data
  if (!policy) return null
  return salePlatforms.map((platform) => (
    <RuleEditor
      key={platform}
      platform={platform}
      rule={policy[platform]}
      set={(rule) => change({ ...policy, [platform]: { ...policy[platform], ...rule } })}
    />
  ))
}
