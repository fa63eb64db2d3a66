export { claimPort, type PortClaim } from './claim-port.ts'
export { type OpenSocket, openSocket } from './open-socket.ts'
export { type Ending, type Program, type ProgramStart, spawnProgram } from './spawn-program.ts'
export { type Result, runToEnd, startProgram } from './start-program.ts'
