'use client'

import { useLocale, useTranslations } from 'next-intl'
import { keepPreference } from '../../cookies.ts'
import { LANGUAGE_COOKIE, type Language, languageNames, languages } from '../../messages/languages.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { ChoiceMenu, Popup } from '../../ui/popup.tsx'
import { type ThemeChoice, themeChoices } from '../../ui/theme/appearance.ts'
import { useThemeChoice } from '../../ui/theme/theme-provider.tsx'

/** A full load: problem titles, too, come from the API in the chosen language. */
function speak(language: Language): void {
  keepPreference(LANGUAGE_COOKIE, language)
  location.reload()
}

export function LanguageSwitch() {
  const t = useTranslations('shell')
  const language = useLocale()
  return (
    <Popup
      label={t('language')}
      align="end"
      trigger={(attributes) => (
        <IconButton {...attributes} label={`${t('language')}: ${languageNames[language]}`}>
          <Icon name="globe" size={18} />
        </IconButton>
      )}
    >
      {() => (
        <ChoiceMenu
          label={t('language')}
          value={language}
          choices={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
          choose={speak}
        />
      )}
    </Popup>
  )
}

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
