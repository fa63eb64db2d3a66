import { ask } from './database.ts'
import { type Language, untranslated, words } from './words.ts'

/** What is no word for people, in either language. */
const slips: readonly [string, RegExp][] = [
  ['a key of a message', untranslated],
  ['a code or a unit', /\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+\b/],
  ['a code of the platform', /\b[A-Z]{2,}(?:\.[A-Z]{2,})+\b/],
  ['a name of a program', /\b[a-z]+(?:[A-Z][a-z]+)+\b/],
  ['a value of a program', /^(?:true|false|null|undefined|NaN|\[\s*\]|\{\s*\})$|\[object /],
  ['a number with too many places', /\d\.\d{5,}/],
  ['a time for programs', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}|\bUTC\b(?!\+8)/],
  ['a schedule for programs', /(?:^|\s)(?=\S*\s.*\*|\*)(?:[\d*/,-]+\s+){4}[\d*/,-]+(?:\s|$)/],
]

/** Names that an operator sets or types as they are, said in the middle of a sentence. */
const said = /\b(?:ALERT_CHANNELS|ALERT_HEARTBEAT_URL|ICBC_DEBIT)\b/g

const textsIn = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? textsIn(value) : [String(value)],
  )

const messages = { 'zh-CN': new Set(textsIn(words['zh-CN'])), en: new Set(textsIn(words.en)) }

const chinese = /\p{Script=Han}+/gu

/** Everything in Chinese that the database holds, once each: on an English page it is somebody's name or note, and not ours. */
async function chineseData(): Promise<string> {
  const tables = await ask<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const held = tables.map(({ name }) => `SELECT t::text AS row FROM ${name} t WHERE t::text ~ '[一-龥]'`)
  const rows = await ask<{ row: string }>(held.join(' UNION ALL '))
  return [...new Set(rows.flatMap(({ row }) => row.match(chinese) ?? []))].join('\n')
}

/** Whether a text is in the other language. */
function isForeign(text: string, language: Language, data: string): boolean {
  const other = language === 'en' ? 'zh-CN' : 'en'
  if (/\p{L}{3}/u.test(text) && messages[other].has(text) && !messages[language].has(text)) return true
  if (language === 'zh-CN') return !/\p{Script=Han}/u.test(text) && /[A-Za-z]{2,} [a-z]{2,} /.test(`${text} `)
  return (text.match(chinese) ?? []).some((run) => run !== '中文' && !data.includes(run))
}

/** Finds, among texts that people are told in a language, those that are not words of it. */
export async function slipFinder(language: Language): Promise<(texts: readonly string[]) => string[]> {
  const data = language === 'en' ? await chineseData() : ''
  return (texts) =>
    texts.flatMap((text) => {
      const plain = text.replace(said, '')
      const kinds = slips.filter(([, slip]) => slip.test(plain)).map(([kind]) => kind)
      if (isForeign(text, language, data)) kinds.push('not in the language of the page')
      return kinds.map((kind) => `${kind}: ${text}`)
    })
}
