import { defineConfig } from 'vitest/config'

/** For a run over several folders, which the command line names. Two workers: some of these tests wait for programs. */
export default defineConfig({ test: { include: ['**/test/**/*.test.ts'], maxWorkers: 2 } })
