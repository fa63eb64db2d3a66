import { listStatements, writePages } from './written-statements.ts'

const [asked] = process.argv.slice(2)
const statements = await listStatements()
if (asked === '--write') writePages(statements)
else if (asked === undefined) process.stdout.write(`${[...statements.keys()].sort().join('\n')}\n`)
else {
  const text = statements.get(asked)
  if (text === undefined) process.stderr.write(`There is no statement "${asked}". npm run sql lists all.\n`)
  process.stdout.write(text ?? '')
  process.exitCode = text === undefined ? 1 : 0
}
