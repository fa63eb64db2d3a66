import { defineConfig } from 'vitest/config'

/** The folders that share a run are told on the command line; what only waits leaves the cores to others. */
export default defineConfig({ test: { include: ['**/test/**/*.test.ts'], maxWorkers: 2 } })
