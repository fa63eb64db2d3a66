export { claimPort, type OpenSocket, openSocket, type PortClaim } from './ports.ts'
export {
  type Ending,
  type Program,
  type ProgramStart,
  type Result,
  runToEnd,
  spawnProgram,
  startProgram,
} from './start-program.ts'
