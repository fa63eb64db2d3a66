#!/usr/bin/env node
import { readArguments, usage } from './read-arguments.ts'
import { refuse, runUntilSignal } from './run-until-signal.ts'
import { startSandbox } from './start-sandbox.ts'

async function main(): Promise<void> {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted === 'help') return console.log(usage)
  await runUntilSignal(startSandbox(wanted))
}

await main().catch(refuse)
