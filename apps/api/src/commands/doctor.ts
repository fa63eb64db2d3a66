import { parseArgs } from 'node:util'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { runCommand } from './run-command.ts'

const signs = { well: '✔', warning: '!', fault: '✖' } as const

const lineOf = ({ level, says, mend }: Finding) =>
  `  ${signs[level]} ${says}\n${mend ? `      → ${mend}\n` : ''}`

/** Findings under what they are about. */
function print(findings: readonly Finding[]): void {
  for (const [index, finding] of findings.entries()) {
    if (finding.about !== findings[index - 1]?.about) process.stdout.write(`${finding.about}\n`)
    process.stdout.write(lineOf(finding))
  }
}

await runCommand('doctor', async () => {
  const { values } = parseArgs({ options: { 'test-alarms': { type: 'boolean', default: false } } })
  const findings = await examine(process.env, { testAlarms: values['test-alarms'] })
  print(findings)
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const said = `${count('well')} well, ${count('warning')} worth a thought, ${count('fault')} to mend`
  process.stdout.write(`\n${said} (docs/going-live.md says what each means)\n`)
  if (count('fault') > 0) process.exitCode = 1
})
