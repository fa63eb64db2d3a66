import { existsSync } from 'node:fs'
import { readCommitted, writeCommitted } from './committed-documents.ts'
import { breaksBetween } from './compare-documents.ts'
import { generateDocument } from './generate-document.ts'
import { OpenApiDocument } from './read-document.ts'

const document = await generateDocument('en')
const release = process.argv.includes('--release')
const first = !existsSync(new URL('promised-v1.json', import.meta.url))
const breaks = first
  ? []
  : breaksBetween(OpenApiDocument.parse(readCommitted('promised')), OpenApiDocument.parse(document))
if (breaks.length > 0) {
  console.error(`Version 1 only grows. This would break its clients:\n${breaks.join('\n')}`)
  process.exit(1)
}
writeCommitted('current', document)
writeCommitted('chinese', await generateDocument('zh-CN'))
if (release) writeCommitted('promised', document)
