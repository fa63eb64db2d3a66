import { openWorld } from '../world/world.ts'
import { checkRule } from './rule.ts'
import { LIST, rules } from './rules.ts'

const world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true })
let failures = 0
console.log(`Rules: ${LIST}. Sections: the protocol sheet.\n`)
for (const rule of rules) {
  const { number, text, weight, source, apiAdds } = rule
  const fault = await checkRule(rule, world).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  world.platform.faults.clear()
  if (fault !== null) failures += 1
  const verdict = fault === null ? 'held    ' : 'NOT HELD'
  console.log(`${verdict} ${String(number).padStart(2)} ${weight.padEnd(6)} ${text} (${source})`)
  if (fault !== null) console.log(`            ${fault}`)
  else if (apiAdds) {
    console.log(`            where the API adds ${apiAdds.what}: held, with`)
    for (const [file, names] of Object.entries(apiAdds.provenBy))
      for (const name of names) console.log(`              apps/api/test/${file}: ${name}`)
  }
}
console.log(`\n${rules.length - failures} of ${rules.length} held`)
await world.close()
process.exitCode = failures === 0 ? 0 : 1
