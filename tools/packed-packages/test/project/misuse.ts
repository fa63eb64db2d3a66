import { createPayments } from '@meridian/payments'
import { startSandbox } from '@meridian/sandbox'

// What the types must refuse, so that a package whose types are lost is seen.
void startSandbox({ folder: 1 })
createPayments({ appId: 'wx' })
