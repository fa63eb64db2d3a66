import { cpus } from 'node:os'
import { measureClicks } from './clicks.ts'
import { config } from './config.ts'
import { measureExport } from './export.ts'
import { openBenchWorld } from './open-world.ts'
import { measurePaidRoad } from './paid-road.ts'
import { measurePurchase } from './purchase.ts'
import { measureReads } from './reads.ts'
import { measureStarvation } from './starvation.ts'
import { measureLatency, measureMemory, measureProcesses } from './steadiness.ts'
import { type Line, printTable } from './table.ts'

const wanted = new Set(process.argv.slice(2))
const wants = (part: string) => wanted.size === 0 || wanted.has(part)

const started = performance.now()
await using world = await openBenchWorld(config)
console.log(
  `${world.history.orders.toLocaleString('en')} orders of ${world.history.users.toLocaleString('en')} users, ` +
    `planted in ${Math.round((performance.now() - started) / 1000)} s; ${cpus().length} cores, Node ${process.versions.node}`,
)
const lines: Line[] = []
if (wants('notifications')) {
  const road = await measurePaidRoad(world)
  lines.push(...road.lines, ...(await measureLatency(world, road.perSecond)))
}
if (wants('purchase')) lines.push(...(await measurePurchase(world)))
if (wants('reads')) lines.push(...(await measureReads(world)))
if (wants('clicks')) lines.push(...(await measureClicks(world)))
if (wants('starvation')) lines.push(...(await measureStarvation(world)))
if (wants('export')) lines.push(...(await measureExport(world)))
if (wants('processes')) lines.push(...(await measureProcesses(world)))
if (wants('memory')) lines.push(...(await measureMemory(world)))
process.exitCode = printTable(lines) === 0 ? 0 : 1
