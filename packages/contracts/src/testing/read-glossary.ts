type Language = 'zh-CN' | 'en'
type Entry = { terms: Record<Language, string>; refused: Record<Language, string[]> }

const isChinese = (word: string): boolean => /\p{Script=Han}/u.test(word)

/** The rows of the table in `docs/glossary-console.md`. */
export const readGlossary = (document: string): Entry[] =>
  document
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:zh-CN|-+) /.test(line))
    .map((line) => {
      const [chinese = '', english = '', , unwanted = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      const refused = [...unwanted.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
      return {
        terms: { 'zh-CN': chinese, en: english },
        refused: { 'zh-CN': refused.filter(isChinese), en: refused.filter((word) => !isChinese(word)) },
      }
    })

/** Whether a text says the word: `=word` as all it says, an English one not as a part of another. */
export function says(text: string, word: string): boolean {
  if (word.startsWith('=')) return text === word.slice(1)
  if (isChinese(word)) return text.includes(word)
  return new RegExp(`\\b${word.toLowerCase().replace(/[^\w ]/g, '\\$&')}`).test(text.toLowerCase())
}

/** Every text that says a refused word, each by its key. */
export function refusedIn(
  document: string,
  language: Language,
  texts: readonly { key: string; text: string }[],
): string[] {
  const refused = readGlossary(document).flatMap((entry) => entry.refused[language])
  return refused.flatMap((word) =>
    texts
      .filter(({ text }) => says(text, word))
      .map(({ key, text }) => `“${word}” in ${language} ${key}: ${text}`),
  )
}
