import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { runCommand } from './run-command.ts'

const signs = { well: '✔', warning: '!', fault: '✖' } as const

const lineOf = ({ about, level, says, mend }: Finding) =>
  `${signs[level]} ${about}: ${says}\n${mend ? `    → ${mend}\n` : ''}`

await runCommand('doctor', async () => {
  const findings = await examine(process.env)
  for (const finding of findings) process.stdout.write(lineOf(finding))
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  process.stdout.write(
    `${count('well')} well, ${count('warning')} worth a thought, ${count('fault')} to mend\n`,
  )
  if (count('fault') > 0) process.exitCode = 1
})
