'use client'

import { useLocale, useTranslations } from 'next-intl'
import { LANGUAGE_COOKIE, type Language, languageNames, languages } from '../../messages/languages.ts'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { keepPreference } from '../../ui/keep-preference.ts'
import { Popup } from '../../ui/popup.tsx'

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
