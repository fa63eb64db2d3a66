'use client'

import type { AppRouter } from '@meridian/api/router'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import superjson from 'superjson'
import { paths } from '../paths.ts'
import { isSessionGone, problemOf } from './problem.ts'
import { createStepUp, repeatOnceProven, type StepUp } from './step-up.ts'

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

const makeQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSessionGone }),
    mutationCache: new MutationCache({ onError: leaveWhenSessionGone }),
    defaultOptions: {
      queries: {
        // As long as a first read takes from the server into the page: what is older is asked for anew.
        staleTime: 2_000,
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
