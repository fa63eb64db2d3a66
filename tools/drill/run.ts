import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from './arguments.ts'
import { chooseDrills } from './choose-drills.ts'
import { run } from './daemon.ts'
import type { Drill } from './drill.ts'
import { findPrograms } from './find-programs.ts'
import { thisRelease } from './programs.ts'
import { hasHeld, markdownOf } from './report.ts'
import { failed, type Outcome, runDrill } from './run-drill.ts'
import { openWorld, type World } from './world.ts'

const args = readArguments(process.argv.slice(2))
const found = findPrograms(args.newer)
if ('missing' in found) throw new Error(`Missing: ${found.missing.join(', ')}`)
const previous = args.previous ? { name: 'previous release', folder: args.previous } : thisRelease
const isNewer = args.newer !== undefined
/** Patroni before 3.0.3 writes the leader key of etcd3 without a comparison; its etcd (v2) key is compared. */
const store = isNewer ? { PATRONI_STORE: 'etcd3' } : { PATRONI_STORE: 'etcd', ETCD_ENABLE_V2: 'true' }

const settingOf = (drill: Drill) => ({
  programs: found.programs,
  topology: drill.topology ?? args.topology,
  changes: { ...store, ...drill.changes },
  release: drill.beginsWithPrevious ? previous : thisRelease,
  namedStatements: isNewer,
  byLateName: drill.byLateName ?? false,
})

/** An installation is used again by the next drill of the same kind, as long as nothing was wrong with it. */
type Kept = { world: World; kind: string }

async function nextWorld(kept: Kept | null, drill: Drill): Promise<Kept> {
  const setting = settingOf(drill)
  const kind = JSON.stringify(setting)
  if (kept?.kind === kind) return kept
  await kept?.world.close()
  console.log(`  an installation is being built (${setting.topology}, ${setting.release.name})`)
  return { world: await openWorld(setting), kind }
}

function keepLogs(world: World, name: string): void {
  if (args.logs === undefined) return
  const target = join(args.logs, name)
  mkdirSync(target, { recursive: true })
  const isLog = (file: string) => file === world.folder || /\.(log|cfg|ini|yml)$/.test(file)
  cpSync(world.folder, target, { recursive: true, filter: isLog })
}

async function runAll(drills: readonly Drill[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let kept: Kept | null = null
  for (const drill of drills) {
    console.log(`▶ ${drill.name}: ${drill.title}`)
    kept = await nextWorld(kept, drill)
    const outcome = await runDrill(drill, kept.world).catch((error: unknown) => failed(drill, error))
    outcomes.push(outcome)
    const { failures, ...shown } = outcome
    console.log(JSON.stringify(shown))
    if (outcome.missed.length > 0) for (const failure of failures) console.log(`  ${failure}`)
    keepLogs(kept.world, drill.name)
    if (args.json !== undefined) writeFileSync(args.json, `${JSON.stringify(outcomes, null, 2)}\n`)
    if (hasHeld(outcome) && !drill.beginsWithPrevious) continue
    await kept.world.close()
    kept = null
  }
  await kept?.world.close()
  return outcomes
}

// The starter holds the other end: when it is gone, so is everything in here.
process.stdin.resume().on('end', () => process.exit(130))
run('mount', '-t', 'tmpfs', 'run', '/run')
const chosen = chooseDrills(args.only)
const cannotShow = chosen.filter(({ needsInstalledPatroni }) => needsInstalledPatroni && isNewer)
for (const { name } of cannotShow) console.log(`✖ ${name} is not run: it needs the Patroni of Debian 12`)
const outcomes = await runAll(chosen.filter((drill) => !cannotShow.includes(drill)))
console.log(markdownOf(outcomes))
process.exit(outcomes.every(hasHeld) ? 0 : 1)
