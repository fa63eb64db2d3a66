import { enFaults } from './fault-words-en.ts'
import { zhFaults } from './fault-words-zh.ts'

/** What each fault of the switch is called and does, by language. */
export const faultWords = { 'zh-CN': zhFaults, en: enFaults }
