import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { askProgram } from '../run-program.ts'

/** The files of Compose by Compose itself, with the defaults alone. Their schema is looked at by `npm test`. */
export const composeChecks: readonly DeployCheck[] = ['compose.yaml', 'compose.sandbox.yaml'].map((file) => ({
  name: `Docker Compose takes ${file}`,
  programs: ['docker compose'],
  run: async () => {
    const given = ['compose', '--file', file, '--env-file', '/dev/null']
    await askProgram(['docker', ...given, 'config', '--quiet'], { cwd: deployFolder })
  },
}))
