import type { Runtime } from '../runtime.ts'
import { authorizedCaller } from './access-token.ts'
import { logIn } from './log-in.ts'
import type { MiniProgram, MiniProgramSettings } from './mini-program.ts'
import { sendSubscribeMessage } from './send-subscribe-message.ts'
import { shippingState, uploadShipping } from './upload-shipping.ts'

/** The server side of one mini-program (protocol §9). Make it once and keep it: it holds the access token. */
export function createMiniProgram(settings: MiniProgramSettings, runtime: Runtime): MiniProgram {
  const call = authorizedCaller(settings, runtime)
  return {
    login: (code) => logIn(settings, runtime, code),
    sendSubscribeMessage: (message) => sendSubscribeMessage(call, message),
    uploadShipping: (shipping) => uploadShipping(call, shipping, runtime.now()),
    shippingState: (transactionId) => shippingState(call, transactionId),
  }
}
