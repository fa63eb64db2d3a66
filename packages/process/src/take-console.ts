import { format, stripVTControlCharacters } from 'node:util'

/** As urgent as what was printed: `console.trace` is how packages tell of an error that they go on from. */
const levels = {
  debug: 'info',
  log: 'info',
  info: 'info',
  warn: 'warn',
  trace: 'warn',
  error: 'error',
} as const

export type PrintedLevel = (typeof levels)[keyof typeof levels]

/**
 * From now on everything that a package of others prints with `console` goes through `write` instead, one call for each
 * print, however many lines and colours it has: a log of JSON lines stays one.
 */
export function takeConsole(write: (level: PrintedLevel, text: string) => void): void {
  const printers = Object.entries(levels).map(([name, level]) => {
    const print = (...words: unknown[]): void =>
      write(level, stripVTControlCharacters(format(...words)).trim())
    return [name, print]
  })
  Object.assign(console, Object.fromEntries(printers))
}
