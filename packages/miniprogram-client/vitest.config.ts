import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A machine may stand still for a while, under all processes at once: only what never comes has failed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
