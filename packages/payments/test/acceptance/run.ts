import { lists, type RuleList } from './rules.ts'

/** Checks every rule of a list and says how each came out. Answers how many are not held. */
async function run({ title, mark, rules, open }: RuleList): Promise<number> {
  console.log(`\nRules: ${title}. Sections: the protocol sheets.\n`)
  const list = await open()
  let failures = 0
  for (const { number, text, weight, source, apiAdds } of rules) {
    const fault = await list.check(number).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (fault !== null) failures += 1
    const verdict = fault === null ? 'held    ' : 'NOT HELD'
    console.log(`${verdict} ${`${mark}${number}`.padStart(3)} ${weight.padEnd(6)} ${text} (${source})`)
    if (fault !== null) console.log(`             ${fault}`)
    else if (apiAdds) {
      console.log(`             where the API adds ${apiAdds.what}: held, with`)
      for (const [file, names] of Object.entries(apiAdds.provenBy))
        for (const name of names) console.log(`               apps/api/test/${file}: ${name}`)
    }
  }
  console.log(`\n${rules.length - failures} of ${rules.length} held`)
  await list.close()
  return failures
}

let failures = 0
for (const list of lists) failures += await run(list)
process.exitCode = failures === 0 ? 0 : 1
