import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/world/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/world/check-rows.ts'],
    globalSetup: ['test/world/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // More than there are cores: three files mostly wait, for programs and for timers.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // No file changes a module, so files may share what a worker has loaded; loading it costs most of a file.
    isolate: false,
    // The job library tells the console of every worker that dies, whatever logger it was given; tests kill many.
    onConsoleLog: (log) => !(log.startsWith('Trace: ') && log.includes('graphile-worker')),
  },
})
