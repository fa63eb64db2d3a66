'use client'

import type { AppRouter } from '@meridian/api/router'
import { type InferDataFromTag, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useFailure, useTRPC, useTRPCClient } from '../../api-client/api-provider.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import type { Failure } from '../../ui/failure-panel.tsx'

type Api = ReturnType<typeof useTRPCClient>
/** The cache of answers, which the pages show. */
export type Store = {
  trpc: ReturnType<typeof useTRPC>
  /**
   * Writes an answer into the cache under its key. A read of that key still under way is cancelled: it began before the
   * act, and would overwrite the answer with older data.
   */
  put: <Key extends QueryKey>(key: Key, answer: InferDataFromTag<unknown, Key>) => Promise<void>
}

/** What is read from the API, by the noun of its router. */
export type Noun = keyof AppRouter['_def']['record'] & keyof Store['trpc']

export type ActDefinition<Input, Output> = {
  /** The call that does it. It stands first: what it takes and answers types the rest. */
  call: (api: Api) => (input: Input) => Promise<Output>
  /** What is read anew once it is done. */
  invalidates: readonly Noun[]
  /** What is read anew when it was refused: what the page shows may be why. */
  refreshesOnFailure?: readonly Noun[]
  /** Said, to be heard only, when it starts. */
  starting?: string
  /** What is said when it is done; null says nothing. */
  done?: (output: Output, input: Input) => string | null
  /** Writes what the API answered into the cache, before `invalidates` is read anew. */
  keep?: (output: Output, store: Store) => Promise<void>
  /** What else follows at once. */
  after?: (output: Output, input: Input) => void
  /** Where it leads, once all is read anew. */
  follow?: (output: Output) => void
  /** Puts the reason of a refused press into a sentence. */
  refused?: (reason: string) => string
  onFailure?: () => void
}

export type Act<Input, Output = unknown> = {
  /** Does it where its failure is shown: in a dialog or a form. `onDone` closes it, before anything is read anew. */
  run: (input: Input, onDone?: () => void) => void
  /** Does it where nothing shows its failure, which is announced. */
  press: (input: Input) => void
  /** Does it as one step of several; its failure rejects. */
  step: (input: Input) => Promise<Output>
  busy: boolean
  /** What it is done to just now. */
  busyWith: Input | null
  failure: Failure | null
  error: unknown
  /** What the last one answered. */
  output: Output | undefined
  isDone: boolean
  reset: () => void
}

type Run<Input> = { input: Input; isPressed: boolean; onDone?: (() => void) | undefined }

/** What `onSuccess` and `onError` of an act do, in this order for all of them. */
function useConsequences<Input, Output>(definition: ActDefinition<Input, Output>) {
  const { invalidates, refreshesOnFailure = [], starting, refused, onFailure } = definition
  const trpc = useTRPC()
  const cache = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const put: Store['put'] = async (queryKey, answer) => {
    await cache.cancelQueries({ queryKey, exact: true })
    cache.setQueryData(queryKey, answer)
  }
  const readAnew = (nouns: readonly Noun[]) =>
    Promise.all(nouns.map((noun) => cache.invalidateQueries(trpc[noun].pathFilter())))
  return {
    onMutate: () => {
      if (starting) announce(starting, { quiet: true })
    },
    onSuccess: async (output: Output, { input, onDone }: Run<Input>) => {
      const { keep, done, after, follow } = definition
      await keep?.(output, { trpc, put })
      const said = done?.(output, input)
      if (said) announce(said)
      onDone?.()
      after?.(output, input)
      await readAnew(invalidates)
      follow?.(output)
    },
    onError: async (error: unknown, { isPressed }: Run<Input>) => {
      const reason = failureOf(error)?.title ?? ''
      if (isPressed) announce(refused ? refused(reason) : reason)
      onFailure?.()
      await readAnew(refreshesOnFailure)
    },
  }
}

/** One act of an operator: the call, what is said, what is read anew. It is never shown as done before the API says so. */
export function useAct<Input, Output>(definition: ActDefinition<Input, Output>): Act<Input, Output> {
  const { call } = definition
  const api = useTRPCClient()
  const failureOf = useFailure()
  const mutation = useMutation({
    mutationFn: ({ input }: Run<Input>) => call(api)(input),
    ...useConsequences(definition),
  })
  return {
    run: (input, onDone) => mutation.mutate({ input, isPressed: false, onDone }),
    press: (input) => mutation.mutate({ input, isPressed: true }),
    step: (input) => mutation.mutateAsync({ input, isPressed: false }),
    busy: mutation.isPending,
    busyWith: mutation.isPending ? mutation.variables.input : null,
    failure: failureOf(mutation.error),
    error: mutation.error,
    output: mutation.data,
    isDone: mutation.isSuccess,
    reset: mutation.reset,
  }
}
