import { profileOnSignal } from '../../src/profile-on-signal.ts'

const [folder = '.', recordMs = '30000'] = process.argv.slice(2)

function computeForSomeMs(): number {
  const until = performance.now() + 5
  let sum = 0
  while (performance.now() < until) sum += Math.sqrt(sum + 1)
  return sum
}
let rounds = 0
setInterval(() => {
  computeForSomeMs()
  rounds += 1
  if (rounds % 20 === 0) process.stdout.write('computed\n')
}, 10)

profileOnSignal({
  name: 'compute',
  folder,
  recordMs: Number(recordMs),
  log: (level, details, text) => process.stdout.write(`${JSON.stringify({ level, ...details, text })}\n`),
})
process.stdout.write('ready\n')
