import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/pack-all.ts', '../../apps/api/test/world/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
