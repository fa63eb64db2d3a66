export { hireStaff } from './hire-staff.ts'
export { playMonth } from './play-month.ts'
export { findSandbox, NoSandbox } from './sandbox.ts'
export { inWords } from './tally.ts'
