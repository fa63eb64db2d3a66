import { checkout } from './checkout.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { say } from './show-progress.mjs'

/** `npm run hooks`: this clone runs .githooks/ from now on. */
export async function useHooks() {
  const { code, output } = await runCommand(['git', 'config', 'core.hooksPath', '.githooks'], {
    cwd: checkout,
  })
  if (code !== 0) throw new Refusal(`This is no clone that git knows: ${output.trim()}`)
  say('Commits of this clone are checked: staged files by biome, the subject by its form.')
  say('git config --unset core.hooksPath ends it; git commit --no-verify passes it once.')
  return 0
}
