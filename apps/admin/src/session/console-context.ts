import { cache } from 'react'
import { apiForThisOperator } from '../api-client/api-calls.ts'
import { firstRead } from '../api-client/first-read.ts'

/** What every page of an operator needs to know, asked for once per request; null where the API does not answer. */
export const consoleContext = cache(async () =>
  firstRead((await apiForThisOperator()).operator.context.query()),
)
