import { createParser } from 'nuqs/server'
import { isDay } from '../../format.ts'

/** A day of Asia/Shanghai in the address; what is none counts as not there. */
export const parseAsDay = createParser({
  parse: (text) => (isDay(text) ? text : null),
  serialize: (day: string) => day,
})
