import { enFaults } from './fault-words-en.ts'
import { zhFaults } from './fault-words-zh.ts'
import { enVirtualFaults } from './virtual-fault-words-en.ts'
import { zhVirtualFaults } from './virtual-fault-words-zh.ts'

/** What each fault of the switches is called and does, by language. */
export const faultWords = {
  'zh-CN': { ...zhFaults, ...zhVirtualFaults },
  en: { ...enFaults, ...enVirtualFaults },
}
