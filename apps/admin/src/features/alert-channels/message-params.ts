import type { AlertMessageListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString } from 'nuqs/server'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'

/** Where in the list of messages one is, as it stands in the address. */
export const messageParsers = { limit: parseAsRowsPerPage, cursor: parseAsString }

type MessageParams = inferParserType<typeof messageParsers>

export const messageListQueryOf = ({ limit, cursor }: MessageParams): AlertMessageListQuery => ({
  limit,
  ...(cursor && { cursor }),
})
