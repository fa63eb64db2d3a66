import type { Outside } from '../outside.ts'
import { authorizedCaller } from './access-token.ts'
import { logIn } from './log-in.ts'
import type { MiniProgram, MiniProgramSettings } from './mini-program.ts'
import { sendSubscribeMessage } from './send-subscribe-message.ts'
import { shippingState, uploadShipping } from './upload-shipping.ts'

/** The server side of one mini-program (protocol §9). Make it once and keep it: it holds the access token. */
export function createMiniProgram(settings: MiniProgramSettings, outside: Outside): MiniProgram {
  const call = authorizedCaller(settings, outside)
  return {
    login: (code) => logIn(settings, outside, code),
    sendSubscribeMessage: (message) => sendSubscribeMessage(call, message),
    uploadShipping: (shipping) => uploadShipping(call, shipping, outside.now()),
    shippingState: (transactionId) => shippingState(call, transactionId),
  }
}
