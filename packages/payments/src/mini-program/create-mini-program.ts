import type { Outside } from '../outside.ts'
import { logIn } from './log-in.ts'
import { type MiniProgram, MiniProgramError, type MiniProgramSettings } from './mini-program.ts'

/** The server side of one mini-program (protocol §9). */
export function createMiniProgram(settings: MiniProgramSettings, outside: Outside): MiniProgram {
  return {
    login: (code) => logIn(settings, outside, code),
    sendSubscribeMessage: () => Promise.reject(new MiniProgramError('misconfigured')),
    uploadShipping: () => Promise.reject(new MiniProgramError('misconfigured')),
    shippingState: () => Promise.reject(new MiniProgramError('misconfigured')),
  }
}
