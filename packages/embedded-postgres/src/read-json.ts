import { readFileSync } from 'node:fs'

/** What a file of JSON holds, for whoever then looks what it is. */
export const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The member of this name; undefined where the value is no object or has none. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
