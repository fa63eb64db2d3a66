import { Words } from '@meridian/contracts'
import { z } from 'zod'
import type { FieldError } from './domain-error.ts'

/** A client learns from a few; nobody reads thousands. */
export const maxFieldErrors = 20

const wordings = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError }

/** What is wrong with a value that its schema has refused, in every language: a rule of ours brings its own words. */
export function findFieldErrors(schema: z.ZodType, value: unknown): FieldError[] {
  const read = (language: keyof Words) => {
    const error: z.core.$ZodErrorMap = (issue) => ownWords(issue)?.[language] ?? wordings[language](issue)
    return schema.safeParse(value, { error }).error?.issues.slice(0, maxFieldErrors) ?? []
  }
  const inEnglish = read('en')
  return read('zh').map(({ path, message }, index) => ({
    path: path.join('../..'),
    message: { zh: message, en: inEnglish[index]?.message ?? message },
  }))
}

const ownWords = (issue: z.core.$ZodRawIssue): Words | undefined =>
  issue.code === 'custom' ? Words.safeParse(issue.params).data : undefined
