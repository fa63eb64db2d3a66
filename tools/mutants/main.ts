import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseMutants, usualShares } from './choose-mutants.ts'
import { collectMutants } from './collect-mutants.ts'
import { config } from './config.ts'
import { type Case, type Found, judgeMutants } from './judge-mutants.ts'
import { openJudged } from './judged.ts'
import { judgesOf, quickJudges } from './judges.ts'
import { openLane } from './open-lane.ts'
import { showLiving, sumUp, tableOf } from './report.ts'
import { checkout, type Group } from './source.ts'

const began = performance.now()
const minutes = () => (performance.now() - began) / 60_000
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

const texts = new Map<string, string>()
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(checkout, file), 'utf8')
  texts.set(file, text)
  return text
}

const { mutants, equivalents } = await collectMutants(config.wanted)
const choice = { isNarrow: config.wanted.length > 0, oneIn: config.oneIn, sample: config.sample }
const identified = mutants.map((one) => ({ ...one, group: one.mutant.group, file: one.mutant.file }))
const cases: Case[] = chooseMutants<(typeof identified)[number] & { group: Group }>(identified, choice).map(
  (one) => ({ ...one, judges: config.quick ? quickJudges(judgesOf(one.file)) : judgesOf(one.file) }),
)
const shares = Object.entries(usualShares).map(([group, oneIn]) => `${group} 1 in ${oneIn}`)
const chosen =
  choice.oneIn > 0
    ? `1 in ${choice.oneIn}`
    : choice.isNarrow
      ? 'all the named ones, some 60 of each file'
      : shares.join(', ')
console.log(
  `${mutants.length} mutants and ${equivalents.length} equivalents; ${cases.length} are judged (${chosen})`,
)

const judged = openJudged(join(checkout, '.data/mutants/judged.jsonl'), textOf)
const known = cases.map((one) => ({ one, judgement: judged.find(one.identity, one.judges) }))
const found: Found[] = known.flatMap(({ one, judgement }) => (judgement ? [{ ...one, judgement }] : []))
const waiting = known.flatMap(({ one, judgement }) => (judgement ? [] : [one]))
if (found.length > 0) console.log(`${found.length} of them were judged before, ${waiting.length} are left`)

const lanes = Array.from({ length: Math.max(1, Math.min(config.lanes, waiting.length)) }, (_, index) =>
  openLane(index + 1),
)
let left = 0
try {
  left = await judgeMutants(lanes, waiting, {
    judged,
    textOf,
    isOver: () => minutes() > config.minutes,
    onFound: (one) => {
      found.push(one)
      const { verdict, by, seconds: took } = one.judgement
      if (verdict === 'living') console.log(`✖ lives (${took} s) ${showLiving(one)}`)
      else console.log(`  ${found.length}/${cases.length} ${one.mutant.file} ${by} ${took} s`)
    },
  })
} finally {
  for (const lane of lanes) lane.close()
}

const { killed, living, namedLiving, share, passed } = sumUp(found)
for (const line of tableOf(found)) console.log(line)
for (const one of living) console.log(`✖ ${showLiving(one)}`)
if (left > 0)
  console.log(`${left} were not judged in ${config.minutes} minutes: the next run goes on with them`)
console.log(`${namedLiving.length} named mutants live`)
console.log(
  `${passed ? '✔' : '✖'} ${killed} of ${found.length} mutants killed (${percent(share)}), ${minutes().toFixed(1)} min`,
)
process.exitCode = passed ? 0 : 1
