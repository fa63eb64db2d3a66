import type { Outside } from '../outside.ts'
import type { MiniProgram, MiniProgramSettings } from './mini-program.ts'

export function createMiniProgram(settings: MiniProgramSettings, outside: Outside): MiniProgram {
  throw new Error(`being built: ${settings.appId} ${outside.nonce()}`)
}
