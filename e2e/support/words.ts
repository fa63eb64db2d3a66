import { en } from '@meridian/admin/messages/en'
import { zhCN } from '@meridian/admin/messages/zh-CN'

export type Words = typeof en
export type Language = 'zh-CN' | 'en'

/** What the console says in each language, so that what is looked for can be named in both. */
export const words: Record<Language, Words> = { 'zh-CN': zhCN, en }

/** A text whose arguments may be anything. */
export const saying = (text: string) => new RegExp(`^${text.replace(/\{[^}]*\}/g, '.*')}$`)

/** How a key shows when it has no words: with the noun it belongs to. */
export const untranslated = new RegExp(`\\b(${Object.keys(zhCN).join('|')})\\.[a-z]\\w*`)
