'use client'

import type { AppleInquiryRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../../addresses.ts'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { defineList, ListPage } from '../../../kit/list/define-list.tsx'
import { FilterBar, SearchFilter } from '../../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../../kit/list/list-table.tsx'
import { paths } from '../../../paths.ts'
import { Link } from '../../../ui/link.tsx'
import { OrderLink, UserLink } from '../../related/row-links.tsx'
import { useInquiryColumns } from './inquiry-columns.tsx'

const useWords = () => useTranslations('inquiries')

const inquiries = defineList(addresses.inquiries)<AppleInquiryRow>({
  name: 'apple-inquiries',
  useWords,
  exportAs: 'inquiries',
  useSum: () => useWords()('lead'),
  Actions: () => (
    <Link ahead href={paths.refunds()}>
      {useWords()('toRefunds')}
    </Link>
  ),
  useRows: (query) => useListPage(useTRPC().refund.inquiries.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: ({ outTradeNo }) => outTradeNo && paths.order({ outTradeNo }),
  useRowActs:
    () =>
    ({ outTradeNo, userId }) => (
      <>
        {outTradeNo && <OrderLink outTradeNo={outTradeNo} />}
        {userId && <UserLink userId={userId} />}
      </>
    ),
  Filters: ({ list }) => (
    <FilterBar>
      <SearchFilter t={useWords()} list={list} />
    </FilterBar>
  ),
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="refund" />,
  useColumns: () => useInquiryColumns({ named: true }),
})

/** What Apple asked about refunds, newest first: what it was told, and why. */
export const InquiryList = () => <ListPage definition={inquiries} />
