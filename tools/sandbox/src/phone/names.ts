import { englishNames } from './english-names.ts'
import { language } from './texts.ts'

/** A name that the API has in Chinese, in the language of the page where it is one of those known. */
export const named = (name: string): string => (language() === 'en' ? (englishNames[name] ?? name) : name)
