import { openWorld } from '../world/world.ts'
import { LIST, rules } from './rules.ts'

const world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true })
let failures = 0
console.log(`Rules: ${LIST}. Sections: the protocol sheet.\n`)
for (const { number, text, weight, source, apiAdds, check } of rules) {
  const fault = await check(world).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  world.platform.weather.clear()
  if (fault !== null) failures += 1
  const verdict = fault === null ? 'held    ' : 'NOT HELD'
  console.log(`${verdict} ${String(number).padStart(2)} ${weight.padEnd(6)} ${text} (${source})`)
  if (apiAdds) console.log(`            the API adds: ${apiAdds}`)
  if (fault !== null) console.log(`            ${fault}`)
}
console.log(`\n${rules.length - failures} of ${rules.length} held`)
await world.close()
process.exitCode = failures === 0 ? 0 : 1
