'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import { useStepUp } from '../../api-client/api-provider.tsx'
import type { Ways } from './step-up-form.tsx'

const StepUpForm = dynamic(() => import('./step-up-form.tsx').then((module) => module.StepUpForm), {
  ssr: false,
})

/** Opens by itself when a call fails for want of the second factor or the password; the call is then made again. */
export function StepUpDialog({ ways }: { ways: Ways }) {
  const stepUp = useStepUp()
  const demand = useSyncExternalStore(stepUp.subscribe, stepUp.demand, () => null)
  return demand && <StepUpForm {...{ demand, ways }} settle={stepUp.settle} />
}
