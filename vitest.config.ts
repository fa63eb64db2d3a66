import { defineConfig } from 'vitest/config'

// One run for all workspaces, so that they share the machine instead of fighting for it.
export default defineConfig({ test: { projects: ['apps/*', 'packages/*'] } })
