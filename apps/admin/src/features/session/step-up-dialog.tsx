'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import { useStepUp } from '../../api-client/api-provider.tsx'

const StepUpForm = dynamic(() => import('./step-up-form.tsx').then((module) => module.StepUpForm), {
  ssr: false,
})

/** Opens by itself when a call fails for want of the second factor or the password; the call is then made again. */
export function StepUpDialog() {
  const stepUp = useStepUp()
  const demand = useSyncExternalStore(stepUp.subscribe, stepUp.demand, () => null)
  return demand && <StepUpForm demand={demand} settle={stepUp.settle} />
}
