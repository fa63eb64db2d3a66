import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import { apiForThisOperator } from '../../api-client/api-calls.ts'
import { firstRead } from '../../api-client/first-read.ts'
import { type Noun, PageMessages } from '../../messages/page-messages.tsx'
import type { Address } from '../list/address.ts'

type Reading = { trpc: TRPCOptionsProxy<AppRouter>; fetch: QueryClient['fetchQuery'] }
type Words = Awaited<ReturnType<typeof getTranslations<never>>>

type ConsolePageProps = {
  /** Whose words the page shows in the browser. */
  nouns: readonly Noun[]
  /** What it shows first; what fails shows its own error in the page. */
  reads?: ((reading: Reading) => Promise<unknown>[]) | undefined
  children: ReactNode
}

async function FirstReads({
  of,
  children,
}: {
  of: NonNullable<ConsolePageProps['reads']>
  children: ReactNode
}) {
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all(of({ trpc, fetch: queryClient.fetchQuery.bind(queryClient) }).map(firstRead))
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
}

/** A page with its words; what it shows first is awaited and handed to the browser with it. */
export const ConsolePage = ({ nouns, reads, children }: ConsolePageProps) => (
  <PageMessages nouns={nouns}>
    {reads ? <FirstReads of={reads}>{children}</FirstReads> : children}
  </PageMessages>
)

type Definition<Shown> = Pick<ConsolePageProps, 'nouns'> & { View: ComponentType<Shown> }

/** The metadata of a page that always has the same title. */
export const titled = (title: (t: Words) => string) => async () => ({ title: title(await getTranslations()) })

type SectionDefinition = Definition<object> & Pick<ConsolePageProps, 'reads'>

/** A page whose address says nothing but its name. */
export const sectionPage = (title: (t: Words) => string, { nouns, reads, View }: SectionDefinition) => ({
  generateMetadata: titled(title),
  page: () => (
    <ConsolePage nouns={nouns} reads={reads}>
      <View />
    </ConsolePage>
  ),
})

/** What an address asks of its list. */
type Asked<Params, Filter> = {
  params: Params
  query: ReturnType<Address<Params, Filter>['queryOf']>
  filter: Filter
}

type ListDefinition<Params, Filter> = Definition<object> & {
  reads: (reading: Reading, asked: Asked<Params, Filter>) => Promise<unknown>[]
}

/** A page that shows what its address asks for. */
export const listPage = <Params, Filter>(
  address: Address<Params, Filter>,
  title: (t: Words) => string,
  { reads, ...section }: ListDefinition<Params, Filter>,
) => ({
  generateMetadata: titled(title),
  page: async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
    const params = await address.load(searchParams)
    const asked = { params, query: address.queryOf(params), filter: address.filterOf(params) }
    return sectionPage(title, { ...section, reads: (reading) => reads(reading, asked) }).page()
  },
})

/** What a route's parameters say, out of the address. */
async function namedBy<Key extends string>(
  params: Promise<Record<Key, string>>,
): Promise<Record<Key, string>> {
  const named = { ...(await params) }
  try {
    for (const key in named) named[key] = decodeURIComponent(named[key])
  } catch {
    // No address of ours: it is then refused as it stands.
  }
  return named
}

type DetailDefinition<Key extends string> = Definition<Record<Key, string>> & {
  reference: z.ZodType<Record<Key, string>>
  title: (t: Words, named: Record<Key, string>) => string
  reads?: (reading: Reading, reference: Record<Key, string>) => Promise<unknown>[]
}

/** A page of the one thing that its route names; what cannot be the name of anything is not found. */
export function detailPage<Key extends string>({
  reference: schema,
  title,
  nouns,
  reads,
  View,
}: DetailDefinition<Key>) {
  type Route = { params: Promise<Record<Key, string>> }
  return {
    generateMetadata: async ({ params }: Route) => ({
      title: title(await getTranslations(), await namedBy(params)),
    }),
    page: async ({ params }: Route) => {
      const reference = schema.safeParse(await namedBy(params)).data ?? notFound()
      return (
        <ConsolePage nouns={nouns} reads={reads && ((reading) => reads(reading, reference))}>
          <View {...reference} />
        </ConsolePage>
      )
    },
  }
}
