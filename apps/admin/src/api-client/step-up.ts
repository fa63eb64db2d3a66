import type { AppRouter } from '@meridian/api/router'
import type { TRPCClientError, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { problemOf } from './problem.ts'

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
export type StepUp = ReturnType<typeof createStepUp>

const demandOf = (error: TRPCClientError<AppRouter>): Demand | null =>
  demands.find((demand) => demand === problemOf(error)?.code) ?? null

/** Asks the operator to show their second factor or password when a call fails for want of it, then makes the call again. */
export const repeatOnceProven =
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
