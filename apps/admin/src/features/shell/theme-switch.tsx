'use client'

import { useTranslations } from 'next-intl'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popup } from '../../ui/popup.tsx'
import { type ThemeChoice, themeChoices } from '../../ui/theme/choice.ts'
import { useThemeChoice } from '../../ui/theme/theme-provider.tsx'

const icons: Record<ThemeChoice, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' }

export function ThemeSwitch() {
  const t = useTranslations('shell')
  const { choice, choose } = useThemeChoice()
  return (
    <Popup
      label={t('theme')}
      align="end"
      trigger={(attributes) => (
        <IconButton {...attributes} label={`${t('theme')}: ${t(`themes.${choice}`)}`}>
          <Icon name={icons[choice]} size={18} />
        </IconButton>
      )}
    >
      {(close) => (
        <ChoiceMenu
          label={t('theme')}
          value={choice}
          choices={themeChoices.map((value) => ({
            value,
            label: t(`themes.${value}`),
            icon: <Icon name={icons[value]} />,
          }))}
          choose={(next) => {
            choose(next)
            close()
          }}
        />
      )}
    </Popup>
  )
}
