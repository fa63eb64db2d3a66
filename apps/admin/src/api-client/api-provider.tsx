'use client'

import type { AppRouter } from '@meridian/api/router'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpLink, type TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, use, useState } from 'react'
import superjson from 'superjson'
import { paths } from '../paths.ts'
import type { Failure } from '../ui/failure-panel.tsx'
import { isSessionGone, problemOf } from './problem.ts'

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()

export { useTRPC, useTRPCClient }

const StepUpContext = createContext<StepUp | null>(null)

/** The question for the second factor, for the one dialog that puts it. */
export function useStepUp(): StepUp {
  const stepUp = use(StepUpContext)
  if (!stepUp) throw new Error('useStepUp was called outside the ApiProvider')
  return stepUp
}

/** A full load on purpose: nothing of the lost session may stay in memory. */
function leaveWhenSessionGone(error: unknown): void {
  const problem = problemOf(error)
  if (isSessionGone(problem)) location.assign(paths.signIn(location.pathname + location.search))
  if (problem?.code === 'password_change_required') location.assign(paths.newPassword())
}

/** As long as a first read takes from the server into the page: what is older is asked for anew. */
export const STALE_MS = 2_000

const makeQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => meta?.['ahead'] || leaveWhenSessionGone(error),
    }),
    mutationCache: new MutationCache({ onError: leaveWhenSessionGone }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < 1 && problemOf(error) === null,
        refetchOnWindowFocus: true,
      },
    },
  })

const makeClient = (stepUp: StepUp) =>
  createTRPCClient<AppRouter>({
    links: [repeatOnceProven(stepUp), httpLink({ url: '/api/trpc', transformer: superjson })],
  })

/** Gives the pages their typed calls, through this console's own origin. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient)
  const [stepUp] = useState(createStepUp)
  const [trpcClient] = useState(() => makeClient(stepUp))
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <StepUpContext value={stepUp}>{children}</StepUpContext>
      </TRPCProvider>
    </QueryClientProvider>
  )
}

/** Turns what a query or mutation failed with into what the page can say. */
export function useFailure(): (error: unknown) => Failure | null {
  const t = useTranslations('ui')
  return (error) => {
    if (error === null || error === undefined) return null
    const problem = problemOf(error)
    const faults = problem?.errors?.map(({ message }) => message)
    return problem
      ? { title: problem.title, requestId: problem.requestId, ...(faults && { faults }) }
      : { title: t('unreachable'), requestId: null }
  }
}

/** What the API asks of the operator before it does what they want. */
export type Demand = 'step_up_required' | 'second_factor_required' | 'password_required'

const demands: readonly Demand[] = ['step_up_required', 'second_factor_required', 'password_required']

/** One question to the operator at a time, however many calls wait for its answer. */
export function createStepUp() {
  let demand: Demand | null = null
  let waiting: ((proven: boolean) => void)[] = []
  const listeners = new Set<() => void>()
  const turnTo = (next: Demand | null) => {
    demand = next
    for (const listener of listeners) listener()
  }
  return {
    demand: () => demand,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask: (wanted: Demand) =>
      new Promise<boolean>((answer) => {
        waiting.push(answer)
        turnTo(wanted)
      }),
    settle: (proven: boolean) => {
      const answered = waiting
      waiting = []
      turnTo(null)
      for (const answer of answered) answer(proven)
    },
  }
}
type StepUp = ReturnType<typeof createStepUp>

const demandOf = (error: TRPCClientError<AppRouter>): Demand | null =>
  demands.find((demand) => demand === problemOf(error)?.code) ?? null

/** Asks the operator to show their second factor or password when a call fails for want of it, then makes the call again. */
const repeatOnceProven =
  (stepUp: StepUp): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let over = false
      let current: { unsubscribe: () => void } | null = null
      const attempt = () => {
        current = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: async (error) => {
            const demand = demandOf(error)
            if (demand === null || !(await stepUp.ask(demand))) observer.error(error)
            else if (!over) attempt()
          },
        })
      }
      attempt()
      return () => {
        over = true
        current?.unsubscribe()
      }
    })
