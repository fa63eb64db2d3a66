export type { RunningSandbox, SandboxSettings } from './sandbox-settings.ts'
export { startSandbox } from './start-sandbox.ts'
